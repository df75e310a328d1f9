import { parseArgs } from "node:util";
import { LOADED_TABLES, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { ImportError, messageOf } from "./import-error.ts";

/** Where a column of the table gets its values from, as the command line says. */
export type Given =
  | { readonly kind: "column"; readonly column: string; readonly source: string }
  | { readonly kind: "set"; readonly column: string; readonly value: string };

/** What `npm run import` was asked for. */
export interface ImportRequest {
  readonly table: LoadedTable;
  readonly file: string;
  readonly given: readonly Given[];
  /** A running local service by the folder of its `ready.json`, or a project in the cloud. */
  readonly target:
    | { readonly kind: "local"; readonly stateDirectory: string }
    | { readonly kind: "project"; readonly project: string; readonly location: string };
  readonly countriesFile: string | undefined;
  readonly dryRun: boolean;
}

export const USAGE = `Usage: npm run import -- TABLE --file F [options]

Loads a CSV (also .csv.gz) or Parquet file into a table of the warehouse, whole or not at all: a file with a bad value is refused, and the
table is as before. The same file again changes nothing; a corrected file replaces what it holds.

  TABLE                  ${LOADED_TABLES.map(({ name }) => name).join(", ")}
  --file F               a CSV file has a header, commas and UTF-8 text; columns of the table's own names need no more
  --column COLUMN=NAME   a column of the table is called NAME in the file; once for each
  --set COLUMN=VALUE     a column of the table holds VALUE in every row; once for each
  --countries FILE       the country rules (default: those of the running service, else infra/countries.json)
  --state DIR            the folder of the running local service (default: .local)
  --project P            load into this project in the cloud instead, with your own credentials (gcloud auth application-default login)
  --location L           where its warehouse is (default: europe-north1)
  --dry-run              checks the file and loads nothing
  --help                 this text

What a file replaces: of facts the whole batch, a country's day; of geographies and geography_cells a country's rows of the types that the
file holds; of road_links a country's rows; of presence a country's tick. The ledger mobility.batches counts versions for each country (and
day, for facts; and tick, for presence).
publishable is decided here (devices against the country's k) and cannot be given. In a file of several levels coarser rows must not give away
what finer ones withhold: stays and trips become sums of the finest rows that are published, and some rows are withheld that have k devices; load
geographies first. A day's stays_dwell_minutes become those of its published hours: load activities_hourly before activities_daily.
batch_date of hourly and daily activities and flows follows from time_bucket and the country's time zone; if the file gives it too, the two must
agree. Where the country's rule for distances is centroids, general_distance_m is filled in from geographies: load these first.
A file of presence holds ticks, instants every five minutes from the full hour on, of one country or of many. It is checked whole; then each tick
is loaded on its own, in the order of time. A tick is kept for two days: one of an hour that began before that is refused, and one that is more
than five minutes in the future.

Examples:
  npm run import -- geographies --file states.csv
  npm run import -- odm_daily --file weekly_state2state_2019_01_07.csv \\
    --set country_code=USA --set batch_date=2019-01-07 \\
    --set origin_geo_type=admin_level_4 --set destination_geo_type=admin_level_4 \\
    --column origin_geo_id=geoid_o --column destination_geo_id=geoid_d \\
    --column trips=pop_flows --column devices=visitor_flows
  npm run import -- presence --file ticks.csv --set country_code=EST
`;

/** Parses the command line; undefined when help was asked for. Throws an ImportError for what is wrong. */
export function parseArguments(args: readonly string[]): ImportRequest | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [name, ...others] = positionals;
  if (name === undefined) throw new ImportError("Which table? For example: npm run import -- odm_daily --file F (--help tells more)");
  if (others.length > 0)
    throw new ImportError(`One table at a time; ${others.map((other) => JSON.stringify(other)).join(", ")} is too much`);
  if (values.file === undefined || values.file === "") throw new ImportError("Which file? Name it with --file F");
  if (values.project === undefined && values.location !== undefined) throw new ImportError("--location goes with --project");
  if (values.project !== undefined && values.state !== undefined) throw new ImportError("--state and --project exclude each other");
  const { state: stateDirectory = ".local", location = "europe-north1", project } = values;
  return {
    table: tableNamed(name),
    file: values.file,
    given: [...values.column.map((text) => given("column", text)), ...values.set.map((text) => given("set", text))],
    target: project === undefined ? { kind: "local", stateDirectory } : { kind: "project", project, location },
    countriesFile: values.countries,
    dryRun: values["dry-run"],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", default: false },
        file: { type: "string" },
        column: { type: "string", multiple: true, default: [] },
        set: { type: "string", multiple: true, default: [] },
        countries: { type: "string" },
        state: { type: "string" },
        project: { type: "string" },
        location: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new ImportError(messageOf(error));
  }
}

function tableNamed(text: string): LoadedTable {
  const name = text.replace(/^mobility\./, "");
  const table = LOADED_TABLES.find((candidate) => candidate.name === name);
  if (table) return table;
  throw new ImportError(
    `${JSON.stringify(text)} is not a table that files are loaded into; these are: ${LOADED_TABLES.map((known) => known.name).join(", ")}`,
  );
}

function given(kind: Given["kind"], text: string): Given {
  const at = text.indexOf("=");
  if (at <= 0) throw new ImportError(`--${kind} ${JSON.stringify(text)} must be ${kind === "column" ? "COLUMN=NAME" : "COLUMN=VALUE"}`);
  const column = text.slice(0, at);
  const rest = text.slice(at + 1);
  return kind === "column" ? { kind, column, source: rest } : { kind, column, value: rest };
}

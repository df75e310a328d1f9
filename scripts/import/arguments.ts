import { isFact, LOADED_TABLES, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { dateAfter } from "../../shared/products/time-window.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { utcDate } from "../../shared/runtime/time.ts";
import { cloudProject } from "../cloud-project.ts";
import { parseCommandLine } from "../command-line.ts";
import { inProject } from "../project-folder.ts";
import { ImportError } from "./import-error.ts";

/** The source of a column's values from the command line. */
export type Given =
  | { readonly kind: "column"; readonly column: string; readonly source: string }
  | { readonly kind: "set"; readonly column: string; readonly value: string };

/** The parsed command line of `npm run import`. */
export interface ImportRequest extends Into {
  readonly kind: "file";
  readonly table: LoadedTable;
  /** A path, or `gs://bucket/object`. */
  readonly file: string;
  readonly given: readonly Given[];
  readonly dryRun: boolean;
}

/** The parsed command line of a backfill: days of the landing bucket, which are loaded as when they arrive. */
export interface BackfillRequest extends Into {
  readonly kind: "backfill";
  readonly table: LoadedTable;
  readonly countries: readonly string[];
  /** Civil days, `2026-03-01`, oldest first. */
  readonly days: readonly string[];
  /** How many days are loaded at once. */
  readonly parallel: number;
}

/** The parsed command line of a deletion of days. */
export interface DeletionRequest extends Into, DayRange {
  readonly kind: "delete";
  readonly table: LoadedTable;
  readonly country: string;
  /** Whether `--yes` was given. */
  readonly isConfirmed: boolean;
}

export type ImportCommand = ImportRequest | BackfillRequest | DeletionRequest;

/** Where to load. */
interface Into {
  /** A running local service, by the folder of its `ready.json`, or a cloud project. */
  readonly target:
    | { readonly kind: "local"; readonly stateDirectory: string }
    | { readonly kind: "project"; readonly project: string; readonly location: string };
  readonly countriesFile: string | undefined;
}

/** BigQuery's limit of load jobs into a table and day, failed ones included: https://cloud.google.com/bigquery/quotas#load_jobs */
const LOADS_MAX = 1500;
/** BigQuery queues 20 statements that change a table: https://cloud.google.com/bigquery/quotas#data-manipulation-language-statements */
const PARALLEL_MAX = 20;
const DAY_MS = 86_400_000;

export const USAGE = `Usage: npm run import -- TABLE --file F [options]

Loads a CSV (also .csv.gz) or Parquet file into a table of the warehouse. Loads are all or nothing: one bad value rejects the file, and the
table stays unchanged. Loading the same file again changes nothing. A corrected file replaces the batches that it holds.

npm run import -- TABLE --backfill FIRST..LAST --country C loads the days that are in the landing bucket and were not loaded, as when they arrive.

npm run import -- TABLE --delete FIRST..LAST --country C deletes days: raw rows and published ones. activities_hourly go with activities_daily.

  TABLE                  ${LOADED_TABLES.map(({ name }) => name).join(", ")}
  --file F               a path or gs://BUCKET/OBJECT; a CSV file has a header, commas and UTF-8 text; columns of the table's own names need no more;
                         a folder is read as the parts of one Parquet file, as Spark writes it
  --column COLUMN=NAME   a column of the table is called NAME in the file; once for each
  --set COLUMN=VALUE     a column of the table holds VALUE in every row; once for each
  --backfill A..B        the days of the landing bucket from A to B (2026-03-01..2026-03-31), at most 1,500 of all countries
  --delete A..B          the days to delete from A to B, or one day (2026-03-01)
  --yes                  deletes them; without it, the command says what it would delete
  --country C            a country of the backfill, once for each; or the one of the deletion
  --parallel N           so many days at once (default: 4, at most 20); each table is published one day after the other
  --countries FILE       the country rules (default: those of the running service, else infra/countries.json)
  --state DIR            the folder of the running local service (default: .local)
  --project P            loads into this cloud project instead, as its account loader: terraform/README.md, Load data
  --location L           the location of its warehouse (default: europe-north1)
  --dry-run              checks the file, also its ids against the warehouse, and loads nothing
  --help                 shows this help

A file replaces whole batches. Facts: one day of a country. geographies and geography_cells: a country's rows of the types in the file.
road_links and coverage: a country's rows. presence: one tick of a country.
Load geographies first: what is published of a row depends on the geographies around it. Of the finest type, load only those in which devices
can be counted: no open water, nothing that the network does not cover. Geographies, road links and cells must lie in the extents of their
country (grid.extents of its rules), and days must have begun there.

Raw rows of facts go to the dataset intake, which the API cannot read, and stay there for 14 days after their load (presence: two days). What
may be told of them is published in mobility, ticks in realtime, by the country's rules: rows of at least k devices, people and trips to the
nearest step, stays to the nearest k. Coarser rows are counted from the finest type that the country offers: without its rows they are not
published. A day of activities has its hours as parts: it is published once activities_hourly of the day is loaded. A file with more people
than devices times people_per_device is refused. With protected: true, rows from k devices are published as they are in the file.
The ledger mobility.batches counts published versions per country (for facts also per day, for presence per tick): the version rises only if
what is published changed. A correction of a row by fewer than k devices keeps its published number, and numbers of activities stay where the
new ones are within one step. To correct a day after its raw rows have left intake, bring the whole day, hours first: all published numbers
then stay where the new ones are within one step.

batch_date of hourly and daily activities and flows follows from time_bucket and the country's time zone; if the file has it too, both must
agree. general_distance_m cannot be set: if the country's distance rule is centroids, the import computes it from geographies. Nor can west,
south, east and north of geographies, the extent of their geometry. A geometry has at most 8 MiB of text: customers read it whole.
A presence file holds ticks of one or more countries: instants every five minutes from the full hour. The whole file is checked first; then
each tick is loaded separately, in time order. Ticks are kept for two days: a tick in an hour that began earlier is rejected, as is one more
than five minutes in the future.

A cell_id is the south-west corner of a 250 m cell in the country's grid: scripts/README.md, Bring your own data. infra/examples has a file of
each table.

Examples:
  npm run import -- geographies --file states.csv
  npm run import -- odm_daily --file weekly_state2state_2019_01_07.csv \\
    --set country_code=USA --set batch_date=2019-01-07 \\
    --set origin_geo_type=admin_level_4 --set destination_geo_type=admin_level_4 \\
    --column origin_geo_id=geoid_o --column destination_geo_id=geoid_d \\
    --column trips=pop_flows --column devices=visitor_flows
  npm run import -- presence --file ticks.csv --set country_code=EST
  npm run import -- odm_daily --backfill 2026-03-01..2026-03-31 --country EST
`;

/** Parses the command line. Returns undefined for `--help`. Throws an ImportError for wrong arguments. */
export function parseArguments(args: readonly string[]): ImportCommand | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [name, ...others] = positionals;
  if (name === undefined) throw new ImportError("Which table? Example: npm run import -- odm_daily --file F (see --help)");
  const [file, ...more] = values.file;
  // Otherwise the last one would be loaded, and nothing said of the others.
  if (more.length > 0) throw new ImportError(`One file at a time; --file names ${values.file.length}: ${values.file.join(", ")}`);
  if (others.length === 1 && file === undefined)
    throw new ImportError(`The file is named with --file: npm run import -- ${name} --file ${others[0]}`);
  if (others.length > 0)
    throw new ImportError(`One table and one file at a time; unexpected: ${others.map((other) => JSON.stringify(other)).join(", ")}`);
  if (values.project === undefined && values.location !== undefined) throw new ImportError("--location requires --project");
  if (values.project !== undefined && values.state !== undefined) throw new ImportError("--state and --project exclude each other");
  const { state: stateDirectory = inProject(".local"), location = "europe-north1", project } = values;
  const into: Into = {
    target: project === undefined ? { kind: "local", stateDirectory } : { kind: "project", project: cloudProject(project), location },
    countriesFile: values.countries,
  };
  const table = tableNamed(name);
  if (values.backfill !== undefined) return { ...into, ...backfillOf(table, values.backfill, values) };
  if (values.delete !== undefined) return { ...into, ...deletionOf(table, values.delete, values) };
  if (values.country.length > 0 || values.parallel !== undefined)
    throw new ImportError("--country requires --backfill or --delete, and --parallel --backfill");
  if (values.yes) throw new ImportError("--yes requires --delete");
  if (file === undefined || file === "") throw new ImportError("Which file? Name it with --file F");
  return {
    ...into,
    kind: "file",
    table,
    file,
    given: [...values.column.map((text) => given("column", text)), ...values.set.map((text) => given("set", text))],
    dryRun: values["dry-run"],
  };
}

function backfillOf(
  table: LoadedTable,
  range: string,
  { country: countries, parallel = "4", ...others }: Options,
): Pick<BackfillRequest, "kind" | "table" | "countries" | "days" | "parallel"> {
  if (readsFile(others) || others.delete !== undefined || others.yes)
    throw new ImportError("--backfill loads what is in the landing bucket: without --file, --column, --set, --dry-run, --delete and --yes");
  if (countries.length === 0) throw new ImportError("Which country? Name it with --country C");
  const { first, last } = rangeOf("--backfill", table, range);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (count * countries.length > LOADS_MAX)
    throw new ImportError(
      `${count * countries.length} days are more than the ${LOADS_MAX} loads that a table may have in a day: load them in parts`,
    );
  const atOnce = Number(parallel);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > PARALLEL_MAX)
    throw new ImportError(`--parallel must be a number from 1 to ${PARALLEL_MAX}`);
  const days = Array.from({ length: count }, (_, index) => dateAfter(first, index));
  return { kind: "backfill", table, countries, days, parallel: atOnce };
}

function deletionOf(
  table: LoadedTable,
  range: string,
  { country: [country, ...others], parallel, yes: isConfirmed, ...rest }: Options,
): Pick<DeletionRequest, "kind" | "table" | "country" | "first" | "last" | "isConfirmed"> {
  if (readsFile(rest) || parallel !== undefined)
    throw new ImportError("--delete reads no file: without --file, --column, --set, --dry-run and --parallel");
  if (country === undefined) throw new ImportError("Which country? Name it with --country C");
  if (others.length > 0) throw new ImportError(`One country at a time; --country names ${[country, ...others].join(", ")}`);
  return { kind: "delete", table, country, ...rangeOf("--delete", table, range), isConfirmed };
}

type Options = ReturnType<typeof parse>["values"];

function readsFile({ file, column, set, "dry-run": isDry }: Pick<Options, "file" | "column" | "set" | "dry-run">): boolean {
  return file.length + column.length + set.length > 0 || isDry;
}

/** The first and the last of some civil days, `2026-03-01`. */
interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Returns the days of an option: `2026-03-01..2026-03-31`, or one day. */
function rangeOf(option: string, table: LoadedTable, text: string): DayRange {
  if (!isFact(table))
    throw new ImportError(
      `${table.name} has no days; tables of days: ${LOADED_TABLES.filter(isFact)
        .map((known) => known.name)
        .join(", ")}`,
    );
  const [, first = "", last = first] = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/.exec(text) ?? [];
  if (!isDay(first) || !isDay(last) || last < first)
    throw new ImportError(`${option} ${JSON.stringify(text)} must be a day or FIRST..LAST, for example 2026-03-01..2026-03-31`);
  return { first, last };
}

/** JavaScript takes 30 February for 1 March. */
function isDay(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && utcDate(time) === text;
}

function parse(args: readonly string[]) {
  try {
    return parseCommandLine({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        file: { type: "string", multiple: true, default: [] },
        backfill: { type: "string" },
        delete: { type: "string" },
        yes: { type: "boolean", default: false },
        country: { type: "string", multiple: true, default: [] },
        parallel: { type: "string" },
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
  const name = text.replace(/^(mobility|intake)\./, "");
  const table = LOADED_TABLES.find((candidate) => candidate.name === name);
  if (table) return table;
  throw new ImportError(
    `${JSON.stringify(text)} is not a table that the import loads; tables: ${LOADED_TABLES.map((known) => known.name).join(", ")}`,
  );
}

function given(kind: Given["kind"], text: string): Given {
  const at = text.indexOf("=");
  if (at <= 0) throw new ImportError(`--${kind} ${JSON.stringify(text)} must be ${kind === "column" ? "COLUMN=NAME" : "COLUMN=VALUE"}`);
  const column = text.slice(0, at);
  const rest = text.slice(at + 1);
  return kind === "column" ? { kind, column, source: rest } : { kind, column, value: rest };
}

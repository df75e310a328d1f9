import { join, resolve, sep } from "node:path";
import * as v from "valibot";
import { parseCommandLine } from "../../scripts/command-line.ts";
import { inProject } from "../../scripts/project-folder.ts";
import { DatabaseId } from "../../shared/runtime/config.ts";
import type { EngineChoice } from "./engines.ts";

/** The options of `./scripts/start`. */
export interface StartOptions {
  readonly help: boolean;
  readonly port: number | undefined;
  readonly stateDirectory: string;
  /** The folder of persistent data; undefined: nothing is persisted. */
  readonly dataDirectory: string | undefined;
  readonly engines: EngineChoice;
  /** The id of the database of Firestore that the functions use. */
  readonly database: string;
  /** Undefined: the value of the data folder, or the default. */
  readonly seed: number | undefined;
  readonly scale: number | undefined;
  /** The number of past days with sample data. */
  readonly days: number | undefined;
  /** The seconds between two realtime ticks. */
  readonly tickSeconds: number;
  /** Whether scheduled functions are called automatically. */
  readonly schedule: boolean;
  readonly countriesFile: string | undefined;
  /** The address of the web console's base map; undefined: the built-in one. */
  readonly baseMap: string | undefined;
}

/** The id of the database that the service uses unless it is given another one. */
export const DEFAULT_DATABASE = "(default)";
/** The id of the database of what is noted about requests. */
export const USAGE_DATABASE = "usage";

/** Returns the help text of a program with these options. */
export function usage(program: string, does: string, state: string): string {
  return `Usage: ${program} [options]

${does}

  --port N             port of the Users API; the Data API takes the next one; 0: free ones (default: 8080, or free ones)
  --state DIR          folder of ready.json and the logs (default: ${state}); each running service needs its own
  --data DIR           persist everything in this folder: customers and their keys, maps, jobs, exports, imported data
                       (default: nothing is persisted); --seed and --scale must match those the folder was created with
  --database NAME      database of Firestore that the service uses: a restored one of the data folder (default: (default))
  --engines WHICH      engines of Firestore and Pub/Sub: auto, embedded or google (default: auto)
  --countries FILE     a JSON file of country rules, added to the built-in ones
  --base-map URL       base map of the web console: a PMTiles archive (URL ends in .pmtiles) or a style document
                       (default: the built-in one)
  --seed N             seed of the sample data (default: 1)
  --scale N            size of the sample's towns, 1 to 100 (default: 1)
  --days N             number of past days with sample data, 1 to 400 (default: 14)
  --tick SECONDS       interval at which headcounts are measured and refreshed (default: 300)
  --no-schedule        disable scheduled functions: run ticks and sweeps manually
  --help               show this text
`;
}

/** Parses the command line. Throws a one-line error for an invalid option. */
export function parseOptions(args: readonly string[]): StartOptions {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      port: { type: "string" },
      state: { type: "string", default: inProject(".local") },
      data: { type: "string" },
      engines: { type: "string", default: "auto" },
      database: { type: "string", default: DEFAULT_DATABASE },
      countries: { type: "string" },
      "base-map": { type: "string" },
      seed: { type: "string" },
      scale: { type: "string" },
      days: { type: "string" },
      "no-schedule": { type: "boolean", default: false },
      tick: { type: "string", default: "300" },
    },
  });
  const { engines } = values;
  if (engines !== "auto" && engines !== "embedded" && engines !== "google") throw new Error("--engines must be auto, embedded or google");
  const stateDirectory = resolve(values.state);
  const dataDirectory = values.data === undefined ? undefined : resolve(values.data);
  if (dataDirectory !== undefined && engines === "google")
    throw new Error("--data needs the embedded engines: Google's emulators do not persist data. Omit --data or --engines google");
  if (
    dataDirectory !== undefined &&
    ["", "storage", "tmp"].some((name) => isWithin(dataDirectory, join(stateDirectory, name), name !== ""))
  )
    throw new Error(`--data ${values.data} is inside the state folder, which is emptied at every start; choose another folder`);
  return {
    help: values.help,
    port: values.port === undefined ? undefined : integer("--port", values.port, 0, 65534),
    stateDirectory,
    dataDirectory,
    engines: dataDirectory === undefined ? engines : "embedded",
    database: databaseId("--database", values.database),
    seed: values.seed === undefined ? undefined : integer("--seed", values.seed, 0, 2 ** 31),
    scale: values.scale === undefined ? undefined : integer("--scale", values.scale, 1, 100),
    days: values.days === undefined ? undefined : integer("--days", values.days, 1, 400),
    tickSeconds: integer("--tick", values.tick, 1, 300),
    schedule: !values["no-schedule"],
    countriesFile: values.countries === undefined ? undefined : resolve(values.countries),
    baseMap: values["base-map"] === undefined ? undefined : address("--base-map", values["base-map"]),
  };
}

function isWithin(path: string, folder: string, orBelow: boolean): boolean {
  return path === folder || (orBelow && path.startsWith(`${folder}${sep}`));
}

function address(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new Error(`${name} must be an http or https address, not ${JSON.stringify(text)}`);
}

function databaseId(name: string, text: string): string {
  const parsed = v.safeParse(DatabaseId, text);
  if (!parsed.success) throw new Error(`${name} ${parsed.issues[0].message}, not ${JSON.stringify(text)}`);
  if (text === USAGE_DATABASE) throw new Error(`${name} must not be ${text}: that database holds what is noted about requests`);
  return text;
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

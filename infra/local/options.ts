import { join, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import type { EngineChoice } from "./engines.ts";

/** What `./scripts/start` was asked for. */
export interface StartOptions {
  readonly help: boolean;
  readonly port: number | undefined;
  readonly stateDirectory: string;
  /** Keeps everything between runs; undefined: nothing is kept. */
  readonly dataDirectory: string | undefined;
  readonly engines: EngineChoice;
  /** Undefined: what the data folder was made with, or the default. */
  readonly seed: number | undefined;
  readonly scale: number | undefined;
  /** How many days back the sample data goes. */
  readonly days: number | undefined;
  /** Seconds between two ticks of realtime. */
  readonly tickSeconds: number;
  /** Whether the functions of the schedule are called by themselves. */
  readonly schedule: boolean;
  readonly countriesFile: string | undefined;
}

/** The help text of a program that takes these options. */
export function usage(program: string, does: string, state: string): string {
  return `Usage: ${program} [options]

${does}

  --port N             port of the Users API; the Data API takes the next one (default: 8080, or free ones)
  --state DIR          where ready.json and the logs go (default: ${state}), so that two can run side by side
  --data DIR           keep everything between runs in this folder: customers and their keys, maps, jobs, exports, data that was imported
                       (default: nothing is kept); --seed and --scale must then be those that it was made with
  --engines WHICH      auto, embedded or google: what Firestore and Pub/Sub run on (default: auto)
  --countries FILE     a JSON file of country rules, added to the built-in ones
  --seed N             another seed gives other sample data (default: 1)
  --scale N            how large the sample's cities are, 1 to 100 (default: 1)
  --days N             how many days back the sample data goes, 1 to 400 (default: 14)
  --tick SECONDS       how often headcounts are measured and refreshed (default: 300)
  --no-schedule        call no function by schedule: ticks and sweeps come by hand only
  --help               this text
`;
}

/** Parses the command line. Throws an error of one line for what is wrong. */
export function parseOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      port: { type: "string" },
      state: { type: "string", default: ".local" },
      data: { type: "string" },
      engines: { type: "string", default: "auto" },
      countries: { type: "string" },
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
    throw new Error("--data goes with the embedded engines only: Google's emulators keep nothing between runs; leave out one of the two");
  if (
    dataDirectory !== undefined &&
    ["", "storage", "tmp"].some((name) => isWithin(dataDirectory, join(stateDirectory, name), name !== ""))
  )
    throw new Error(`--data ${values.data} is emptied at every start as a part of the state folder; name another folder`);
  return {
    help: values.help,
    port: values.port === undefined ? undefined : integer("--port", values.port, 1, 65534),
    stateDirectory,
    dataDirectory,
    engines: dataDirectory === undefined ? engines : "embedded",
    seed: values.seed === undefined ? undefined : integer("--seed", values.seed, 0, 2 ** 31),
    scale: values.scale === undefined ? undefined : integer("--scale", values.scale, 1, 100),
    days: values.days === undefined ? undefined : integer("--days", values.days, 1, 400),
    tickSeconds: integer("--tick", values.tick, 1, 300),
    schedule: !values["no-schedule"],
    countriesFile: values.countries === undefined ? undefined : resolve(values.countries),
  };
}

function isWithin(path: string, folder: string, orBelow: boolean): boolean {
  return path === folder || (orBelow && path.startsWith(`${folder}${sep}`));
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

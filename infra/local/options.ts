import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { EngineChoice } from "./engines.ts";

/** What `./scripts/start` was asked for. */
export interface StartOptions {
  readonly help: boolean;
  readonly port: number | undefined;
  readonly stateDirectory: string;
  readonly engines: EngineChoice;
  readonly seed: number;
  readonly scale: number;
  /** How many days back the sample data goes. */
  readonly days: number;
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
      engines: { type: "string", default: "auto" },
      countries: { type: "string" },
      seed: { type: "string", default: "1" },
      scale: { type: "string", default: "1" },
      days: { type: "string", default: "14" },
      "no-schedule": { type: "boolean", default: false },
      tick: { type: "string", default: "300" },
    },
  });
  const { engines } = values;
  if (engines !== "auto" && engines !== "embedded" && engines !== "google") throw new Error("--engines must be auto, embedded or google");
  return {
    help: values.help,
    port: values.port === undefined ? undefined : integer("--port", values.port, 1, 65534),
    stateDirectory: resolve(values.state),
    engines,
    seed: integer("--seed", values.seed, 0, 2 ** 31),
    scale: integer("--scale", values.scale, 1, 100),
    days: integer("--days", values.days, 1, 400),
    tickSeconds: integer("--tick", values.tick, 1, 300),
    schedule: !values["no-schedule"],
    countriesFile: values.countries === undefined ? undefined : resolve(values.countries),
  };
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

import { parseArgs } from "node:util";

export const USAGE = `Usage: npm run chaos -- [options]

Starts a service of its own, has customers submit jobs and monitor maps, and meanwhile kills the functions' process at random moments,
doubles pushes, and lets a share of all calls to BigQuery, Firestore, Storage and Tasks fail, break off or come late. Then checks that
everything ended, once. Takes two to ten minutes.

  --jobs N       jobs to submit (default: 200)
  --maps N       maps to monitor (default: 50)
  --faults PART  the share of calls and of pushes that do not simply pass, 0 to 0.5 (default: 0.05)
  --seed N       another seed draws other faults (default: the time); the operating system still decides what meets what
  --help         this text
`;

export interface ChaosCommand {
  readonly help: boolean;
  readonly jobs: number;
  readonly maps: number;
  readonly rate: number;
  readonly seed: number;
}

/** Parses the command line. Throws an error of one line for what is wrong. */
export function parseChaosCommand(args: readonly string[], now: Date): ChaosCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      jobs: { type: "string", default: "200" },
      maps: { type: "string", default: "50" },
      faults: { type: "string", default: "0.05" },
      seed: { type: "string", default: String(Math.floor(now.getTime() / 1000)) },
      help: { type: "boolean", default: false },
    },
  });
  return {
    help: values.help,
    jobs: whole("--jobs", values.jobs, 1, 600),
    maps: whole("--maps", values.maps, 0, 1000),
    rate: share("--faults", values.faults, 0.5),
    seed: whole("--seed", values.seed, 0, 2 ** 32),
  };
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

function share(name: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value <= most) return value;
  throw new Error(`${name} must be a number from 0 to ${most}, not ${JSON.stringify(text)}`);
}

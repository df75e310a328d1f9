import { parseCommandLine } from "../command-line.ts";

export const USAGE = `Usage: npm run chaos -- [options]

Starts a separate service. Customers submit jobs and monitor maps while the functions' process is killed at random moments, pushes are
duplicated, and a share of all calls to BigQuery, Firestore, Storage and Tasks fails, breaks off or is delayed. Then checks that everything
finished exactly once. Takes two to ten minutes.

  --jobs N       number of jobs to submit (default: 200)
  --maps N       number of maps to monitor (default: 50)
  --faults PART  share of calls and pushes with a fault, 0 to 0.5 (default: 0.05)
  --seed N       seed of the faults (default: the time); the timing still depends on the operating system
  --help         shows this help
`;

export interface ChaosCommand {
  readonly help: boolean;
  readonly jobs: number;
  readonly maps: number;
  readonly rate: number;
  readonly seed: number;
}

/** Parses the command line. Throws an error with a one-line message for wrong arguments. */
export function parseChaosCommand(args: readonly string[], now: Date): ChaosCommand {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      jobs: { type: "string", default: "200" },
      maps: { type: "string", default: "50" },
      faults: { type: "string", default: "0.05" },
      seed: { type: "string", default: String(Math.floor(now.getTime() / 1000)) },
      help: { type: "boolean", short: "h", default: false },
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

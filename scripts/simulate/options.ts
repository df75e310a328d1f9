import { availableParallelism } from "node:os";
import type { Subject } from "../../infra/testing/simulation/simulations.ts";
import { parseCommandLine } from "../command-line.ts";

/** The parsed command line of `npm run simulate`. */
export interface SimulateCommand {
  readonly help: boolean;
  readonly schedules: number;
  /** The seed of the first schedule; the others have the following seeds. */
  readonly seed: number;
  /** The seed of the schedule whose trace to print. */
  readonly replay: number | undefined;
  readonly subjects: readonly Subject[];
  readonly workers: number;
  readonly mutants: boolean;
  /** Prints one line of JSON. */
  readonly json: boolean;
}

const SUBJECTS: readonly Subject[] = ["jobs", "ticks"];

export const USAGE = `Usage: npm run simulate [-- options]

Runs the code of the job path and of the ticks over in-memory fakes, in many schedules. A schedule's seed determines its order of events,
faults, crashes at any await, and times. Exits with 1 at the first schedule that breaks an invariant, and prints its trace and how to replay it.

  --schedules N        number of schedules (default: 100000)
  --seed S             seed of the first schedule (default: 1)
  --replay S           prints the trace of the schedule with this seed
  --what WHICH         ${SUBJECTS.join(" or ")} (default: all)
  --workers N          number of threads; does not affect the results (default: one per core)
  --mutants            breaks each guard in a copy of the sources and shows after how many schedules this is detected (at most --schedules, 3000)
  --json               prints one line of JSON
  --help               shows this help
`;

/** Parses the command line. Throws an error with a one-line message for wrong arguments. */
export function parseSimulateCommand(args: readonly string[]): SimulateCommand {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      schedules: { type: "string" },
      seed: { type: "string", default: "1" },
      replay: { type: "string" },
      what: { type: "string" },
      workers: { type: "string" },
      mutants: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const subjects = SUBJECTS.filter((subject) => values.what === undefined || values.what === subject);
  if (subjects.length === 0) throw new Error(`--what must be ${SUBJECTS.join(" or ")}, not ${JSON.stringify(values.what)}`);
  return {
    help: values.help,
    schedules: whole("--schedules", values.schedules ?? (values.mutants ? "3000" : "100000"), 1),
    seed: whole("--seed", values.seed, 0),
    replay: values.replay === undefined ? undefined : whole("--replay", values.replay, 0),
    subjects,
    workers: values.workers === undefined ? availableParallelism() : whole("--workers", values.workers, 1),
    mutants: values.mutants,
    json: values.json,
  };
}

function whole(name: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} must be a whole number from ${least} to 999999999, not ${JSON.stringify(text)}`);
}

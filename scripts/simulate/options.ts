import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { SIMULATIONS, type Subject } from "../../infra/local/testing/simulation/simulations.ts";

/** What `npm run simulate` was asked for. */
export interface SimulateCommand {
  readonly help: boolean;
  readonly schedules: number;
  /** The first schedule's seed; the others have those that follow. */
  readonly seed: number;
  /** The seed of one schedule whose trace is wanted. */
  readonly replay: number | undefined;
  readonly subjects: readonly Subject[];
  readonly workers: number;
  readonly mutants: boolean;
  /** Machine-readable: one line. */
  readonly json: boolean;
}

const SUBJECTS: readonly Subject[] = ["jobs", "ticks"];

export const USAGE = `Usage: npm run simulate [-- options]

Runs the code of the job path and of the ticks over stand-ins in memory, in many schedules: each has an order of everything, faults, deaths at any await and times
of its own, all made from its seed. Ends with 1 at the first schedule in which a promise is broken, with its trace and how to see it again.

  --schedules N        how many schedules (default: 100000)
  --seed S             the first one's seed (default: 1)
  --replay S           prints the trace of the schedule of one seed
  --what WHICH         ${Object.keys(SIMULATIONS).join(" or ")} (default: all)
  --workers N          how many processes; the results are the same (default: one for each core)
  --mutants            breaks each guard in a copy of the sources, and shows after how many schedules that is noticed (at most --schedules, 3000)
  --json               one line for programs
  --help               this text
`;

/** Parses the command line. Throws an error of one line for what is wrong. */
export function parseSimulateCommand(args: readonly string[]): SimulateCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
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

import { parseArgs } from "node:util";

const PHASES = ["isolation", "fuzz", "revocation"] as const;
export type Phase = (typeof PHASES)[number];

/** What `npm run fuzz` was asked for. */
export interface FuzzCommand {
  readonly help: boolean;
  /** Of each phase; its own number when undefined. */
  readonly requests: number | undefined;
  readonly seed: number;
  readonly phases: readonly Phase[];
}

export const USAGE = `Usage: npm run fuzz [-- options]

Starts a service of its own and tries it with requests that nobody would send, made from a seed: whether two customers ever see anything of each
other, whether any request is answered with a 5xx or against the OpenAPI documents or leaves something behind when it is refused, and whether a
rotated key is ever let in again. Ends with 1 when something was found, and says how to make it happen again.

  --requests N         how many requests (default: isolation 10000, fuzz 20000, revocation 5000)
  --seed S             other requests (default: 1)
  --only WHICH         isolation, fuzz or revocation
  --help               this text
`;

/** Parses the command line. Throws an error of one line for what is wrong. */
export function parseFuzzCommand(args: readonly string[]): FuzzCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      requests: { type: "string" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
    },
  });
  const phases = PHASES.filter((phase) => values.only === undefined || values.only === phase);
  if (phases.length === 0) throw new Error(`--only must be ${PHASES.join(", ")}, not ${JSON.stringify(values.only)}`);
  return {
    help: values.help,
    requests: values.requests === undefined ? undefined : whole("--requests", values.requests, 1),
    seed: whole("--seed", values.seed, 0),
    phases,
  };
}

/** Six digits: a seed is part of uids. */
function whole(name: string, text: string, least: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} must be a whole number from ${least} to 999999, not ${JSON.stringify(text)}`);
}

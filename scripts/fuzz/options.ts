import { parseCommandLine } from "../command-line.ts";

const PHASES = ["isolation", "fuzz", "revocation"] as const;
export type Phase = (typeof PHASES)[number];

/** The parsed command line of `npm run fuzz`. */
export interface FuzzCommand {
  readonly help: boolean;
  /** Number of requests per phase; undefined means the phase's default. */
  readonly requests: number | undefined;
  readonly seed: number;
  readonly phases: readonly Phase[];
}

export const USAGE = `Usage: npm run fuzz [-- options]

Starts a separate service and sends it unusual requests, generated from a seed. Checks that customers never see each other's data, that no
response is a 5xx or violates the OpenAPI documents, that rejected requests change nothing, and that a rotated key never works again. Exits
with 1 if it finds something, and prints how to reproduce it.

  --requests N         number of requests (default: isolation 50000, fuzz 100000, revocation 25000)
  --seed S             seed of the requests (default: 1)
  --only WHICH         isolation, fuzz or revocation
  --help               shows this help
`;

/** Parses the command line. Throws an error with a one-line message for wrong arguments. */
export function parseFuzzCommand(args: readonly string[]): FuzzCommand {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
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

/** At most six digits, because a seed is part of uids. */
function whole(name: string, text: string, least: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} must be a whole number from ${least} to 999999, not ${JSON.stringify(text)}`);
}

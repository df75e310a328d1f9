import { parseCommandLine } from "../command-line.ts";

/** The parsed command line of `npm run clients`. */
export interface ClientsCommand {
  readonly help: boolean;
  readonly quick: boolean;
  readonly list: boolean;
  /** The clients to run. */
  readonly names: readonly string[];
}

export const USAGE = `Usage: npm run clients [-- options] [NAME…]

Starts a separate service with sample data, and runs the clients that customers use against it: all of them, or those named. Installs their
packages once, in a folder of the user's cache (4 GB for all). Prints a table of every check, and which clients are not on this machine and
why. Exits with 1 if a check fails, or if a named client is not there.

  --quick              only the checks that ./scripts/test runs
  --list               prints the names of the clients
  --help               shows this help
`;

/** Parses the command line. Throws an error with a one-line message for wrong arguments. */
export function parseClientsCommand(args: readonly string[], known: readonly string[]): ClientsCommand {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no client ${JSON.stringify(unknown)}; there are ${known.join(", ")}`);
  return { ...values, names: positionals };
}

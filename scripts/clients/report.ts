import type { CheckResult } from "../../infra/testing/clients/run-clients.ts";

/** What a run of clients found. */
export interface ClientsRun {
  /** The clients that are on this machine and were to run. */
  readonly found: readonly string[];
  /** A line for each client that is not here. */
  readonly missing: readonly string[];
  /** Whether the clients were named on the command line. */
  readonly named: boolean;
  readonly results: readonly CheckResult[];
}

/**
 * Returns the last lines of a run, and whether it succeeded: no check failed, every client that is here ran a check, and every client that
 * was named is here.
 */
export function reportOf({ found, missing, named, results }: ClientsRun): {
  readonly lines: readonly string[];
  readonly succeeded: boolean;
} {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const unchecked = found.filter((name) => !results.some(({ client }) => client === name));
  return {
    lines: [
      ...unchecked.map((name) => `Not run: ${name} is here, but no check of it was run`),
      ...missing,
      `${results.length - failed} passed, ${failed} failed`,
    ],
    succeeded: failed === 0 && unchecked.length === 0 && (!named || missing.length === 0),
  };
}

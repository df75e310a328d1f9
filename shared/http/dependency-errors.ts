import { classifyError } from "../google/classify-error.ts";
import { errorReason } from "../google/client-error.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import { TimedOut, withTimeout } from "../runtime/with-timeout.ts";
import { ServiceError, unavailable } from "./errors.ts";

const RETRY_SECONDS = 5;
const DETAIL = "A service behind this one does not answer; the same request may be sent again";

/**
 * The failure that a caller may see: a dependency that is down, or does not answer in time or before the process ends, is `unavailable`, with its
 * error as the cause, whatever client reports it; a request that is too large for the warehouse is `invalid_argument`.
 */
export function toCallerError(fault: unknown): unknown {
  if (fault instanceof ServiceError) return fault;
  const reason = errorReason(fault);
  const tooLarge = reason === undefined ? undefined : tooLargeText(reason);
  if (tooLarge !== undefined) return new ServiceError("invalid_argument", tooLarge, { cause: fault });
  const isGivenUp = fault instanceof TimedOut || fault instanceof ShuttingDown;
  return isGivenUp || classifyError(fault) === "retryable" ? unavailable(DETAIL, RETRY_SECONDS, fault) : fault;
}

/** What a customer is told of a request that is too large for the warehouse, by BigQuery's reason; undefined for any other error. */
export function tooLargeText(reason: string): string | undefined {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  return undefined;
}

/** Waits, for so long at most, for what is done beside an answer; undefined when it is not done by then, or fails, which is logged. */
export type BestEffort = <T>(work: Promise<T>) => Promise<T | undefined>;

export function createBestEffort(milliseconds: number, log: Log): BestEffort {
  return async (work) => {
    try {
      return await withTimeout(work, milliseconds);
    } catch (fault) {
      log("WARNING", "Work beside an answer was not done in time; it goes on, or the sweeper does it", describeError(fault));
      return undefined;
    }
  };
}

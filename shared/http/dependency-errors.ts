import { classifyError } from "../google/classify-error.ts";
import { errorReason } from "../google/client-error.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import { TimedOut, withTimeout } from "../runtime/with-timeout.ts";
import { ServiceError, unavailable } from "./errors.ts";

const RETRY_SECONDS = 5;
const DETAIL = "A service behind this one does not respond; retry the same request";

/**
 * Converts an error to one that the caller may see. A dependency that is down, or does not respond in time or before the process ends, is
 * `unavailable`, with the original error as its cause. A request too large for the warehouse is `invalid_argument`. Others stay as is.
 */
export function toCallerError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const reason = errorReason(error);
  const tooLarge = reason === undefined ? undefined : tooLargeText(reason);
  if (tooLarge !== undefined) return new ServiceError("invalid_argument", tooLarge, { cause: error });
  const isGivenUp = error instanceof TimedOut || error instanceof ShuttingDown;
  return isGivenUp || classifyError(error) === "retryable" ? unavailable(DETAIL, RETRY_SECONDS, error) : error;
}

/** Returns the error text for a request that is too large for the warehouse, by BigQuery's reason; undefined for other reasons. */
export function tooLargeText(reason: string): string | undefined {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  return undefined;
}

/** Waits a limited time for work that the response does not depend on. Logs and returns undefined if it fails or times out. */
export type BestEffort = <T>(work: Promise<T>) => Promise<T | undefined>;

export function createBestEffort(milliseconds: number, log: Log): BestEffort {
  return async (work) => {
    try {
      return await withTimeout(work, milliseconds);
    } catch (error) {
      log("WARNING", "Best-effort work failed or timed out; it continues, or the sweeper does it", describeError(error));
      return undefined;
    }
  };
}

import { classifyError } from "../google/classify-error.ts";
import { errorReason } from "../google/client-error.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { abortable, ShuttingDown, shutdownDeadline } from "../runtime/shutdown-signal.ts";
import { ServiceError, unavailable } from "./errors.ts";
import { tooLargeText } from "./too-large.ts";

const RETRY_SECONDS = 5;
const DETAIL = "A service behind this one does not answer; the same request may be sent again";

/**
 * The failure that a caller may see: a dependency that is down is `unavailable`, with its error as the cause, whatever client reports it; a
 * request that is too large for the warehouse is `invalid_argument`.
 */
export function toCallerError(fault: unknown): unknown {
  const reason = fault instanceof ServiceError ? undefined : errorReason(fault);
  const tooLarge = reason === undefined ? undefined : tooLargeText(reason);
  if (tooLarge !== undefined) return new ServiceError("invalid_argument", tooLarge, { cause: fault });
  return !(fault instanceof ServiceError) && classifyError(fault) === "retryable" ? unavailable(DETAIL, RETRY_SECONDS, fault) : fault;
}

/**
 * What a promise gives, or `unavailable` when it gives nothing in time (Firestore's client alone tries for 45 s) or before the process ends.
 */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(DETAIL, RETRY_SECONDS, new Error(`No answer in ${milliseconds} ms`))), milliseconds);
  });
  try {
    return await abortable(Promise.race([promise, late]), shutdownDeadline);
  } catch (fault) {
    throw fault instanceof ShuttingDown ? unavailable(DETAIL, RETRY_SECONDS, fault) : fault;
  } finally {
    clearTimeout(timer);
  }
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

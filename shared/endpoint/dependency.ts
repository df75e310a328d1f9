import { GRPC, reasonOf, statusOf } from "../cloud/client-error.ts";
import { isWorthRepeating, tooLargeText } from "../cloud/warehouse-faults.ts";
import { ServiceError, unavailable } from "../errors.ts";

/** gRPC's ABORTED: the client has repeated it as often as it may. Source: https://grpc.io/docs/guides/status-codes/ */
const ABORTED = 10;
const DOWN = new Set<unknown>([GRPC.deadlineExceeded, GRPC.resourceExhausted, GRPC.unavailable, ABORTED, 429, 502, 503, 504]);

/** What Node says of a connection that was not made or did not hold. */
const NO_CONNECTION = new Set<unknown>(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

const RETRY_SECONDS = 5;
const DETAIL = "A service behind this one does not answer; the same request may be sent again";

/**
 * The failure that a caller may see: a dependency that is down is `unavailable`, with its error as the cause, whatever client reports it; a
 * request that is too large for the warehouse is `invalid_argument`.
 */
export function callersFault(fault: unknown): unknown {
  const reason = fault instanceof ServiceError ? undefined : reasonOf(fault);
  const tooLarge = reason === undefined ? undefined : tooLargeText(reason);
  if (tooLarge !== undefined) return new ServiceError("invalid_argument", tooLarge, { cause: fault });
  if (reason !== undefined && isWorthRepeating(reason)) return unavailable(DETAIL, RETRY_SECONDS, fault);
  return !(fault instanceof ServiceError) && isDown(fault) ? unavailable(DETAIL, RETRY_SECONDS, fault) : fault;
}

/** What a promise gives, or `unavailable` when it gives nothing in time: Firestore's client alone tries for 45 s. */
export async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(DETAIL, RETRY_SECONDS, new Error(`No answer in ${milliseconds} ms`))), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks at the error and what it was caused by: `fetch` and the clients wrap what the socket said. */
function isDown(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const code = "code" in fault ? fault.code : undefined;
  const status = "status" in fault ? fault.status : undefined;
  return NO_CONNECTION.has(code) || DOWN.has(statusOf(fault)) || DOWN.has(status) || isDown(fault.cause);
}

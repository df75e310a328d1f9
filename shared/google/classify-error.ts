import { errorReason, errorStatus, GRPC, networkErrorName } from "./client-error.ts";

/**
 * What an error of a dependency asks for: `retryable` the call, later or with the next delivery; `permanent` for good; or `alreadyExists`: what was to be made
 * is there already, so go on as if it had been made just now.
 */
export type ErrorClass = "retryable" | "permanent" | "alreadyExists";

type Rows<K extends string | number> = Readonly<Record<K, ErrorClass>>;

/**
 * BigQuery's word for an error, of a request (`errors[0].reason`) or of a job that ended in it (`errorResult.reason`). A job's failure is
 * repeated as a new attempt. Source: https://cloud.google.com/bigquery/docs/error-messages
 */
const BIGQUERY: Rows<string> = {
  backendError: "retryable",
  internalError: "retryable",
  jobBackendError: "retryable",
  jobInternalError: "retryable",
  jobRateLimitExceeded: "retryable",
  proxyAuthenticationRequired: "retryable",
  // Ten minutes or longer, says Google: the redelivery waits for that (https://cloud.google.com/bigquery/docs/troubleshoot-quotas).
  quotaExceeded: "retryable",
  rateLimitExceeded: "retryable",
  resourceInUse: "retryable",
  tableUnavailable: "retryable",
  duplicate: "alreadyExists",
  accessDenied: "permanent",
  attributeError: "permanent",
  badRequest: "permanent",
  billingNotEnabled: "permanent",
  billingTierLimitExceeded: "permanent",
  blocked: "permanent",
  bytesBilledLimitExceeded: "permanent",
  invalid: "permanent",
  invalidQuery: "permanent",
  invalidUser: "permanent",
  notFound: "permanent",
  notImplemented: "permanent",
  resourcesExceeded: "permanent",
  responseTooLarge: "permanent",
  stopped: "permanent",
  timeout: "permanent",
};

/**
 * HTTP statuses of BigQuery and Cloud Storage, where no reason that is known tells more. What a proxy on the way says (a 400, 403 or 404 without
 * a reason) tells nothing of the request and has no row. Source: https://cloud.google.com/storage/docs/retry-strategy
 */
const HTTP: Rows<number> = {
  401: "retryable",
  408: "retryable",
  409: "alreadyExists",
  412: "alreadyExists", // Only creations have a condition: that there is nothing of the name.
  429: "retryable",
  500: "retryable",
  502: "retryable",
  503: "retryable",
  504: "retryable",
};

/**
 * Statuses of gRPC: Firestore, Cloud Tasks, Pub/Sub and IAM Credentials. The clients have repeated what they may before they give one of these.
 * Sources: https://grpc.io/docs/guides/status-codes/, https://cloud.google.com/firestore/docs/understand-error-codes
 */
const GRPC_STATUSES: Rows<number> = {
  1: "retryable", // CANCELLED
  2: "retryable", // UNKNOWN
  3: "permanent", // INVALID_ARGUMENT
  4: "retryable", // DEADLINE_EXCEEDED
  5: "permanent", // NOT_FOUND
  6: "alreadyExists", // ALREADY_EXISTS
  7: "permanent", // PERMISSION_DENIED
  8: "retryable", // RESOURCE_EXHAUSTED
  9: "permanent", // FAILED_PRECONDITION
  10: "retryable", // ABORTED
  11: "permanent", // OUT_OF_RANGE
  12: "permanent", // UNIMPLEMENTED
  13: "retryable", // INTERNAL
  14: "retryable", // UNAVAILABLE
  15: "permanent", // DATA_LOSS
  16: "retryable", // UNAUTHENTICATED
};

/**
 * What Node and its `fetch` say of a connection that was not made or did not hold.
 * Sources: https://nodejs.org/api/errors.html, https://undici.nodejs.org/#/docs/api/Errors
 */
const NETWORK: Rows<string> = {
  EAI_AGAIN: "retryable",
  ECONNABORTED: "retryable",
  ECONNREFUSED: "retryable",
  ECONNRESET: "retryable",
  EHOSTUNREACH: "retryable",
  ENETUNREACH: "retryable",
  ENOTFOUND: "retryable",
  EPIPE: "retryable",
  ERR_STREAM_PREMATURE_CLOSE: "retryable",
  ETIMEDOUT: "retryable",
  UND_ERR_BODY_TIMEOUT: "retryable",
  UND_ERR_CONNECT_TIMEOUT: "retryable",
  UND_ERR_HEADERS_TIMEOUT: "retryable",
  UND_ERR_SOCKET: "retryable",
};

/** The whole table, for its test. */
export const ERROR_CLASSES = { bigquery: BIGQUERY, http: HTTP, grpc: GRPC_STATUSES, network: NETWORK };

/** What the reason asks for that BigQuery gives for a job that failed. What the table does not know is not paid for a second time. */
export function classifyReason(reason: string): ErrorClass {
  return rowOf(BIGQUERY, reason) ?? "permanent";
}

/**
 * The errorClass on what a client threw, or on what caused it: clients wrap what the socket said. Undefined for what the table says nothing of, such
 * as a fault of the program: a delivery that throws it comes again until it is dead-lettered.
 */
export function classifyError(error: unknown): ErrorClass | undefined {
  const reason = errorReason(error);
  const status = errorStatus(error);
  const known = reason === undefined ? undefined : rowOf(BIGQUERY, reason);
  if (known !== undefined) return known;
  if (status !== undefined) return classifyStatus(status, reason);
  const name = networkErrorName(error);
  const ofNetwork = name === undefined ? undefined : rowOf(NETWORK, name);
  return ofNetwork ?? (error instanceof Error && error.cause !== undefined ? classifyError(error.cause) : undefined);
}

/** Whether what was to be removed or stopped is not there (any more): then nothing is left to do. */
export function isNotFound(error: unknown): boolean {
  const status = errorStatus(error);
  return status === 404 || status === GRPC.notFound;
}

/** A refusal with a reason that is not known is one of the request all the same; any 5xx is the server's. */
function classifyStatus(status: number, reason: string | undefined): ErrorClass | undefined {
  const row = status < 100 ? rowOf(GRPC_STATUSES, status) : rowOf(HTTP, status);
  if (row !== undefined) return row;
  if (status >= 500) return "retryable";
  return status >= 400 && reason !== undefined ? "permanent" : undefined;
}

/** A word of a dependency's need not be one of the table's: `constructor` is none. */
function rowOf<K extends string | number>(rows: Rows<K>, key: K): ErrorClass | undefined {
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

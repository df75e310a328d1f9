import { errorReason, errorStatus, GRPC, networkErrorName } from "./client-error.ts";

/**
 * How to handle a dependency's error. `retryable`: repeat the call later or on redelivery. `permanent`: do not retry.
 * `alreadyExists`: the resource exists already; continue as if it had just been created.
 */
export type ErrorClass = "retryable" | "permanent" | "alreadyExists";

type Rows<K extends string | number> = Readonly<Record<K, ErrorClass>>;

/**
 * BigQuery error reasons, of a request (`errors[0].reason`) or of a failed job (`errorResult.reason`). A failed job is retried as a new
 * attempt. Source: https://cloud.google.com/bigquery/docs/error-messages
 */
const BIGQUERY: Rows<string> = {
  backendError: "retryable",
  internalError: "retryable",
  jobBackendError: "retryable",
  jobInternalError: "retryable",
  jobRateLimitExceeded: "retryable",
  proxyAuthenticationRequired: "retryable",
  // Google says to wait ten minutes or longer; redelivery does (https://cloud.google.com/bigquery/docs/troubleshoot-quotas).
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
 * HTTP statuses of BigQuery and Cloud Storage, used when the reason is absent or unknown. A 400, 403 or 404 without a reason comes from a
 * proxy, says nothing about the request and has no row. Source: https://cloud.google.com/storage/docs/retry-strategy
 */
const HTTP: Rows<number> = {
  401: "retryable",
  408: "retryable",
  409: "alreadyExists",
  412: "alreadyExists", // Only creations have a precondition: that the name is free.
  429: "retryable",
  500: "retryable",
  502: "retryable",
  503: "retryable",
  504: "retryable",
};

/**
 * gRPC statuses of Firestore, Cloud Tasks, Pub/Sub and IAM Credentials. The clients report them after their own retries.
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
 * Error codes of Node and its `fetch` for connections that failed or broke.
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

/** The whole table, exported for its test. */
export const ERROR_CLASSES = { bigquery: BIGQUERY, http: HTTP, grpc: GRPC_STATUSES, network: NETWORK };

/** Classifies the reason of a failed BigQuery job. Unknown reasons are permanent: a retry would be billed again. */
export function classifyReason(reason: string): ErrorClass {
  return rowOf(BIGQUERY, reason) ?? "permanent";
}

/**
 * Classifies a client's error, or its cause, since clients wrap socket errors. Returns undefined for errors outside the table, such as
 * bugs: a delivery that throws one is redelivered until it is dead-lettered.
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

/** Whether the resource to remove or stop does not exist (any more), so that nothing is left to do. */
export function isNotFound(error: unknown): boolean {
  const status = errorStatus(error);
  return status === 404 || status === GRPC.notFound;
}

/** A 4xx with an unknown reason is a permanent error of the request. Any 5xx is a retryable error of the server. */
function classifyStatus(status: number, reason: string | undefined): ErrorClass | undefined {
  const row = status < 100 ? rowOf(GRPC_STATUSES, status) : rowOf(HTTP, status);
  if (row !== undefined) return row;
  if (status >= 500) return "retryable";
  return status >= 400 && reason !== undefined ? "permanent" : undefined;
}

/** Looks up own properties only, so that a key such as `constructor` does not match. */
function rowOf<K extends string | number>(rows: Rows<K>, key: K): ErrorClass | undefined {
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

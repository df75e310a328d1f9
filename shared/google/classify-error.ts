import { faultNameOf, GRPC, reasonOf, statusOf } from "./client-error.ts";

/**
 * What an error of a dependency asks for: `repeat` the call, later or with the next delivery; `fail` for good; or `attach`: what was to be made
 * is there already, so go on as if it had been made just now.
 */
export type Verdict = "repeat" | "fail" | "attach";

type Rows<K extends string | number> = Readonly<Record<K, Verdict>>;

/**
 * BigQuery's word for an error, of a request (`errors[0].reason`) or of a job that ended in it (`errorResult.reason`). A job's failure is
 * repeated as a new attempt. Source: https://cloud.google.com/bigquery/docs/error-messages
 */
const BIGQUERY: Rows<string> = {
  backendError: "repeat",
  internalError: "repeat",
  jobBackendError: "repeat",
  jobInternalError: "repeat",
  jobRateLimitExceeded: "repeat",
  proxyAuthenticationRequired: "repeat",
  // Ten minutes or longer, says Google: the redelivery waits for that (https://cloud.google.com/bigquery/docs/troubleshoot-quotas).
  quotaExceeded: "repeat",
  rateLimitExceeded: "repeat",
  resourceInUse: "repeat",
  tableUnavailable: "repeat",
  duplicate: "attach",
  accessDenied: "fail",
  attributeError: "fail",
  badRequest: "fail",
  billingNotEnabled: "fail",
  billingTierLimitExceeded: "fail",
  blocked: "fail",
  bytesBilledLimitExceeded: "fail",
  invalid: "fail",
  invalidQuery: "fail",
  invalidUser: "fail",
  notFound: "fail",
  notImplemented: "fail",
  resourcesExceeded: "fail",
  responseTooLarge: "fail",
  stopped: "fail",
  timeout: "fail",
};

/** The service's own words for why an attempt failed. */
const SERVICE: Rows<string> = { dataChanged: "repeat", countryNotOffered: "fail" };

/**
 * HTTP statuses of BigQuery and Cloud Storage, where no reason that is known tells more. What a proxy on the way says (a 400, 403 or 404 without
 * a reason) tells nothing of the request and has no row. Source: https://cloud.google.com/storage/docs/retry-strategy
 */
const HTTP: Rows<number> = {
  401: "repeat",
  408: "repeat",
  409: "attach",
  412: "attach", // Only creations have a condition: that there is nothing of the name.
  429: "repeat",
  500: "repeat",
  502: "repeat",
  503: "repeat",
  504: "repeat",
};

/**
 * Statuses of gRPC: Firestore, Cloud Tasks, Pub/Sub and IAM Credentials. The clients have repeated what they may before they give one of these.
 * Sources: https://grpc.io/docs/guides/status-codes/, https://cloud.google.com/firestore/docs/understand-error-codes
 */
const GRPC_STATUSES: Rows<number> = {
  1: "repeat", // CANCELLED
  2: "repeat", // UNKNOWN
  3: "fail", // INVALID_ARGUMENT
  4: "repeat", // DEADLINE_EXCEEDED
  5: "fail", // NOT_FOUND
  6: "attach", // ALREADY_EXISTS
  7: "fail", // PERMISSION_DENIED
  8: "repeat", // RESOURCE_EXHAUSTED
  9: "fail", // FAILED_PRECONDITION
  10: "repeat", // ABORTED
  11: "fail", // OUT_OF_RANGE
  12: "fail", // UNIMPLEMENTED
  13: "repeat", // INTERNAL
  14: "repeat", // UNAVAILABLE
  15: "fail", // DATA_LOSS
  16: "repeat", // UNAUTHENTICATED
};

/**
 * What Node and its `fetch` say of a connection that was not made or did not hold.
 * Sources: https://nodejs.org/api/errors.html, https://undici.nodejs.org/#/docs/api/Errors
 */
const NETWORK: Rows<string> = {
  EAI_AGAIN: "repeat",
  ECONNABORTED: "repeat",
  ECONNREFUSED: "repeat",
  ECONNRESET: "repeat",
  EHOSTUNREACH: "repeat",
  ENETUNREACH: "repeat",
  ENOTFOUND: "repeat",
  EPIPE: "repeat",
  ERR_STREAM_PREMATURE_CLOSE: "repeat",
  ETIMEDOUT: "repeat",
  UND_ERR_BODY_TIMEOUT: "repeat",
  UND_ERR_CONNECT_TIMEOUT: "repeat",
  UND_ERR_HEADERS_TIMEOUT: "repeat",
  UND_ERR_SOCKET: "repeat",
};

/** The whole table, for its test. */
export const VERDICTS = { bigquery: BIGQUERY, service: SERVICE, http: HTTP, grpc: GRPC_STATUSES, network: NETWORK };

/** The verdict on why a warehouse job, or an attempt, failed. What the table does not know is not paid for a second time. */
export function verdictOnReason(reason: string): Verdict {
  return rowOf(BIGQUERY, reason) ?? rowOf(SERVICE, reason) ?? "fail";
}

/**
 * The verdict on what a client threw, or on what caused it: clients wrap what the socket said. Undefined for what the table says nothing of, such
 * as a fault of the program: a delivery that throws it comes again until it is dead-lettered.
 */
export function verdictOn(error: unknown): Verdict | undefined {
  const reason = reasonOf(error);
  const status = statusOf(error);
  const known = reason === undefined ? undefined : rowOf(BIGQUERY, reason);
  if (known !== undefined) return known;
  if (status !== undefined) return verdictOnStatus(status, reason);
  const name = faultNameOf(error);
  const ofNetwork = name === undefined ? undefined : rowOf(NETWORK, name);
  return ofNetwork ?? (error instanceof Error && error.cause !== undefined ? verdictOn(error.cause) : undefined);
}

/** Whether what was to be removed or stopped is not there (any more): then nothing is left to do. */
export function isAbsent(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || status === GRPC.notFound;
}

/** A refusal with a reason that is not known is one of the request all the same; any 5xx is the server's. */
function verdictOnStatus(status: number, reason: string | undefined): Verdict | undefined {
  const row = status < 100 ? rowOf(GRPC_STATUSES, status) : rowOf(HTTP, status);
  if (row !== undefined) return row;
  if (status >= 500) return "repeat";
  return status >= 400 && reason !== undefined ? "fail" : undefined;
}

/** A word of a dependency's need not be one of the table's: `constructor` is none. */
function rowOf<K extends string | number>(rows: Rows<K>, key: K): Verdict | undefined {
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

import { isDiskFull } from "../disk-full.ts";
import { BigQueryError } from "./model.ts";

/** The REST API's ErrorProto, used in a job's `errorResult` and `errors`. */
export interface ErrorProto {
  readonly reason: string;
  readonly location?: string;
  readonly message: string;
}

/** HTTP code and canonical status of each reason (BigQuery's table of error messages). */
const KINDS: Readonly<Record<string, { readonly code: number; readonly status: string }>> = {
  accessDenied: { code: 403, status: "PERMISSION_DENIED" },
  authError: { code: 401, status: "UNAUTHENTICATED" },
  backendError: { code: 503, status: "UNAVAILABLE" },
  badRequest: { code: 400, status: "INVALID_ARGUMENT" },
  bytesBilledLimitExceeded: { code: 400, status: "INVALID_ARGUMENT" },
  duplicate: { code: 409, status: "ALREADY_EXISTS" },
  insufficientPermissions: { code: 403, status: "PERMISSION_DENIED" },
  internalError: { code: 500, status: "INTERNAL" },
  invalid: { code: 400, status: "INVALID_ARGUMENT" },
  invalidParameter: { code: 400, status: "INVALID_ARGUMENT" },
  invalidQuery: { code: 400, status: "INVALID_ARGUMENT" },
  notFound: { code: 404, status: "NOT_FOUND" },
  notImplemented: { code: 501, status: "UNIMPLEMENTED" },
  parseError: { code: 400, status: "INVALID_ARGUMENT" },
  required: { code: 401, status: "UNAUTHENTICATED" },
  resourceInUse: { code: 400, status: "INVALID_ARGUMENT" },
  resourcesExceeded: { code: 400, status: "INVALID_ARGUMENT" },
  responseTooLarge: { code: 403, status: "PERMISSION_DENIED" },
  stopped: { code: 499, status: "CANCELLED" },
  uploadTooLarge: { code: 413, status: "INVALID_ARGUMENT" },
};

/** Returns the error as a job carries it. */
export function errorProto(error: BigQueryError): ErrorProto {
  const location = error.location ?? (error.reason === "invalidQuery" ? "query" : undefined);
  return { reason: error.reason, ...(location === undefined ? {} : { location }), message: error.message };
}

/** Returns the error as an HTTP response: its code and its JSON body. */
export function errorAnswer(error: BigQueryError): { readonly code: number; readonly body: object } {
  const { code, status } = KINDS[error.reason] ?? { code: 400, status: "INVALID_ARGUMENT" };
  const item: Record<string, string> = { message: error.message, domain: "global", reason: error.reason };
  if (code === 401) {
    item.location = "Authorization";
    item.locationType = "header";
  } else if (error.reason === "invalidQuery") {
    item.location = error.location ?? "q";
    item.locationType = "parameter";
  } else if (error.location !== undefined) item.location = error.location;
  return { code, body: { error: { code, message: error.message, errors: [item], status } } };
}

/** Whether DuckDB failed because another connection changed the same rows. The whole transaction can be retried. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && /^Transaction\w* Error: .*conflict/is.test(error.message);
}

/**
 * Converts any error of a statement to BigQuery's terms. DuckDB's own errors keep their text without its class. An interrupt becomes
 * `stopped`, a query nested too deeply for the stack `resourcesExceeded`. A full disk or an unusable database becomes `backendError`, which
 * is worth retrying once there is space. Errors not caused by the query become an `internalError` with a fixed text.
 */
export function asBigQueryError(error: unknown): BigQueryError {
  if (error instanceof BigQueryError) return error;
  if (isDiskFull(error)) return new BigQueryError("backendError", "The local BigQuery has no space left on its disk.");
  if (error instanceof Error && error.message.startsWith("FATAL Error:"))
    return new BigQueryError("backendError", "The local BigQuery database is unusable: restart the server.");
  if (isConflict(error)) return new BigQueryError("invalidQuery", "Transaction is aborted due to concurrent update against the same rows.");
  if (error instanceof RangeError && error.message.includes("call stack"))
    return new BigQueryError(
      "resourcesExceeded",
      "Resources exceeded during query execution: Not enough resources for query planning - too many subqueries or query is too complex.",
    );
  const match = error instanceof Error ? /^([A-Z][\w ]*?) Error: ([\s\S]*)$/.exec(error.message) : null;
  const [, kind, text] = match ?? [];
  if (kind === undefined || text === undefined)
    return new BigQueryError("internalError", "An internal error occurred and the request could not be completed.");
  if (kind === "INTERRUPT") return new BigQueryError("stopped", "Job execution was cancelled: User requested cancellation");
  if (kind === "Out of Memory")
    return new BigQueryError(
      "resourcesExceeded",
      "Resources exceeded during query execution: the query could not be executed in the allotted memory.",
    );
  if (text.startsWith("QUANTILE can only take parameters in the range"))
    return new BigQueryError(
      "invalidQuery",
      "The second argument to the function PERCENTILE_CONT or PERCENTILE_DISC must be between 0 and 1",
    );
  const required = /^NOT NULL constraint failed: \S*?\.?([^.\s]+)$/.exec(text);
  if (required) return new BigQueryError("invalidQuery", `Required field ${required[1]} cannot be null`);
  if (text.startsWith("More than one row returned by a subquery"))
    return new BigQueryError("invalidQuery", "Scalar subquery produced more than one element");
  return new BigQueryError("invalidQuery", text.replace(/\n\s*LINE \d+:[\s\S]*$/, "").trim());
}

/** A job's error with further errors that give details, such as the bad lines of a file. */
export class DetailedError extends BigQueryError {
  readonly details: readonly ErrorProto[];

  constructor(reason: string, message: string, details: readonly ErrorProto[]) {
    super(reason, message);
    this.details = details;
  }
}

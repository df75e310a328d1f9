/** An error in one member of a request. `pointer` is an RFC 6901 pointer. `allowed` lists the valid values. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
  readonly allowed?: readonly (string | number | boolean)[];
}

/** How many field errors a response lists. Further ones are only counted. */
export const FIELD_ERRORS_MAX = 100;

/** Maps error codes to HTTP statuses and titles. */
export const ERRORS = {
  invalid_argument: { status: 400, title: "Bad Request" },
  unsupported_combination: { status: 400, title: "Bad Request" },
  unauthenticated: { status: 401, title: "Unauthorized" },
  permission_denied: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  request_timeout: { status: 408, title: "Request Timeout" },
  conflict: { status: 409, title: "Conflict" },
  job_failed: { status: 409, title: "Conflict" },
  job_cancelled: { status: 409, title: "Conflict" },
  expired: { status: 410, title: "Gone" },
  precondition_failed: { status: 412, title: "Precondition Failed" },
  payload_too_large: { status: 413, title: "Content Too Large" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  idempotency_mismatch: { status: 422, title: "Unprocessable Content" },
  resource_exhausted: { status: 429, title: "Too Many Requests" },
  internal: { status: 500, title: "Internal Server Error" },
  unavailable: { status: 503, title: "Service Unavailable" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that the caller may see. Its `message` is the `detail` of the problem document, so it must not contain internals. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, { errors = [], headers = {}, cause }: ErrorDetails = {}) {
    super(detail, { cause });
    this.name = "ServiceError";
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

/** Returns the error for invalid fields. It lists the first 100 of them; its detail is that of the first, with a count of the rest. */
export function invalidFields(
  errors: readonly FieldError[],
  code: "invalid_argument" | "unsupported_combination" = "invalid_argument",
): ServiceError {
  const [first, ...rest] = errors;
  const name = first ? first.pointer.slice(1) : "";
  const lead = first ? `${name ? `${name} ` : ""}${first.detail}` : "The request is invalid";
  const listed = errors.length > FIELD_ERRORS_MAX ? `the first ${FIELD_ERRORS_MAX} are in errors` : "see errors";
  const more = rest.length > 0 ? ` (and ${rest.length.toLocaleString("en")} more: ${listed})` : "";
  return new ServiceError(code, `${lead}${more}`, { errors: errors.slice(0, FIELD_ERRORS_MAX) });
}

/** Returns the error for a method that a path does not take. */
export function methodNotAllowed(allow: readonly string[]): ServiceError {
  return new ServiceError("method_not_allowed", `This path takes ${allow.join(", ")}`, { headers: { allow: allow.join(", ") } });
}

/** Returns the error for a dependency that is down: the caller may retry the same request. */
export function unavailable(detail: string, retryAfterSeconds: number, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", detail, {
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });
}

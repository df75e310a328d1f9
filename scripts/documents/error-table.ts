import { ERRORS, type ErrorCode } from "../../shared/http/errors.ts";
import { markdownTable } from "./markdown-table.ts";

/** What each error means to a client. A new code does not compile without an entry here. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_argument: "a field is wrong; `errors` lists each",
  unsupported_combination: "the country, product and geography do not go together; `allowed` lists what does",
  unauthenticated: "no key, or a malformed, unknown or revoked one: the same answer for each; an expired one is named",
  permission_denied: "the key lacks the profile, scope, country or admin access, or the customer is suspended",
  not_found: "it does not exist, or belongs to another customer: the same answer for both",
  method_not_allowed: "`Allow` lists the methods of the path",
  request_timeout: "the body paused for more than 5 seconds or took more than 30; the connection is closed",
  conflict: "the current state forbids it, for example cancelling a finished job",
  job_failed: "the job has failed; `detail` says why",
  job_cancelled: "the job was cancelled",
  expired: "the results were removed after 30 days",
  precondition_failed: "`If-Match` names another version of the map",
  payload_too_large: "the body is larger than 1 MiB",
  unsupported_media_type: "the body is not `application/json`",
  idempotency_mismatch: "the `Idempotency-Key` was used with another body",
  resource_exhausted: "a quota or the rate limit; retry after `Retry-After` seconds",
  internal: "a fault of the service; report the `request_id`",
  unavailable: "a dependency is down; retry the same request after `Retry-After` seconds",
};

/** Returns the table of all error codes. */
export function errorTable(): string {
  return markdownTable(
    ["status", "`code`", "meaning"],
    Object.entries(ERRORS).map(([code, { status }]) => [String(status), `\`${code}\``, new Map(Object.entries(MEANINGS)).get(code) ?? ""]),
  );
}

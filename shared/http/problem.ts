import * as v from "valibot";
import { ERRORS, FIELD_ERRORS_MAX, ServiceError } from "./errors.ts";

/** The body of every error response: RFC 9457 with `code`, `error` (equal to `detail`), field errors and the request id. */
export const Problem = v.pipe(
  v.strictObject({
    type: v.literal("about:blank"),
    title: v.string(),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    code: v.string(),
    detail: v.string(),
    error: v.string(),
    errors: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.strictObject({
              pointer: v.pipe(v.string(), v.description("RFC 6901: /field for a member of the body or a query parameter")),
              detail: v.string(),
              allowed: v.optional(v.array(v.union([v.string(), v.number(), v.boolean()]))),
            }),
            v.title("FieldError"),
          ),
        ),
        v.maxLength(FIELD_ERRORS_MAX),
        v.description(`The first ${FIELD_ERRORS_MAX} field errors; detail counts the rest`),
      ),
    ),
    request_id: v.string(),
  }),
  v.title("Problem"),
);
export type Problem = v.InferOutput<typeof Problem>;

/** Returns the RFC 9457 document of an error. Unknown errors get a fixed text, so that no internals leak. */
export function problemOf(
  error: unknown,
  requestId: string,
): {
  readonly body: Problem;
  readonly headers: Readonly<Record<string, string>>;
} {
  const known = error instanceof ServiceError ? error : new ServiceError("internal", "Something failed on our side; please try again");
  const { status, title } = ERRORS[known.code];
  return {
    body: {
      type: "about:blank",
      title,
      status,
      code: known.code,
      detail: known.message,
      error: known.message,
      ...(known.errors.length > 0
        ? {
            errors: known.errors.map(({ pointer, detail, allowed }) => ({
              pointer,
              detail,
              ...(allowed ? { allowed: [...allowed] } : {}),
            })),
          }
        : {}),
      request_id: requestId,
    },
    headers: known.headers,
  };
}

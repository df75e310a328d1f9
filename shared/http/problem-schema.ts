import * as v from "valibot";
import { FIELD_ERRORS_MAX } from "./errors.ts";

/** The body of every failure: RFC 9457 with `code`, `error` (equal to `detail`), field errors and the request's id. */
export const Problem = v.strictObject({
  type: v.literal("about:blank"),
  title: v.string(),
  status: v.number(),
  code: v.string(),
  detail: v.string(),
  error: v.string(),
  errors: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          pointer: v.pipe(v.string(), v.description("RFC 6901: /field for a member of the body or a query parameter")),
          detail: v.string(),
          allowed: v.optional(v.array(v.union([v.string(), v.number(), v.boolean()]))),
        }),
      ),
      v.maxLength(FIELD_ERRORS_MAX),
      v.description(`The first ${FIELD_ERRORS_MAX} field errors; detail counts the rest`),
    ),
  ),
  request_id: v.string(),
});
export type Problem = v.InferOutput<typeof Problem>;

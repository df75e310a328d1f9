import * as v from "valibot";

/** The body of every failure: RFC 9457 with `code`, `error` (equal to `detail`), field errors and the request's id. */
export const Problem = v.strictObject({
  type: v.literal("about:blank"),
  title: v.string(),
  status: v.number(),
  code: v.string(),
  detail: v.string(),
  error: v.string(),
  errors: v.optional(
    v.array(
      v.strictObject({
        pointer: v.string(),
        detail: v.string(),
        allowed: v.optional(v.array(v.union([v.string(), v.number(), v.boolean()]))),
      }),
    ),
  ),
  request_id: v.string(),
});
export type Problem = v.InferOutput<typeof Problem>;

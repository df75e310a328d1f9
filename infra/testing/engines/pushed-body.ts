import * as v from "valibot";

const PushedBody = v.object({
  message: v.looseObject({
    data: v.optional(v.string(), ""),
    messageId: v.string(),
    publishTime: v.string(),
    publish_time: v.string(),
  }),
  subscription: v.string(),
  deliveryAttempt: v.optional(v.number()),
});

/** Parses the body of a push, for tests. Throws if it is not in Pub/Sub's format. */
export function pushedBody(request: { readonly body: string } | undefined): v.InferOutput<typeof PushedBody> {
  return v.parse(PushedBody, JSON.parse(request?.body ?? ""));
}

import * as v from "valibot";

/** The schemas of `model.ts` as stored. */
const labels = v.record(v.string(), v.string());

export const storedTopic = v.object({ name: v.string(), labels, messageRetentionDuration: v.undefinedable(v.number()) });

export const storedSubscription = v.object({
  name: v.string(),
  topic: v.string(),
  pushConfig: v.undefinedable(
    v.object({
      pushEndpoint: v.string(),
      attributes: labels,
      oidcToken: v.undefinedable(v.object({ serviceAccountEmail: v.string(), audience: v.string() })),
    }),
  ),
  ackDeadlineSeconds: v.number(),
  retainAckedMessages: v.boolean(),
  messageRetentionDuration: v.number(),
  labels,
  enableMessageOrdering: v.boolean(),
  expirationPolicy: v.object({ ttl: v.undefinedable(v.number()) }),
  deadLetterPolicy: v.undefinedable(v.object({ deadLetterTopic: v.string(), maxDeliveryAttempts: v.number() })),
  retryPolicy: v.undefinedable(v.object({ minimumBackoff: v.number(), maximumBackoff: v.number() })),
});

export const storedMessage = v.object({
  messageId: v.string(),
  data: v.instance(Buffer),
  attributes: labels,
  orderingKey: v.string(),
  publishTime: v.number(),
});

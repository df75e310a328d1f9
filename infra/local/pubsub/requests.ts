import * as v from "valibot";
import { bytes, duration, fieldMask, flag, int32, message, stringMap, strings, text, timestamp } from "../tasks/wire/message-fields.ts";
import { projectName, subscriptionName, topicName } from "./names.ts";

const page = { pageSize: int32, pageToken: text };

const pushConfig = message({
  pushEndpoint: text,
  attributes: stringMap,
  oidcToken: v.optional(message({ serviceAccountEmail: text, audience: text })),
  pubsubWrapper: v.optional(message({})),
});

/** google.pubsub.v1.Subscription as a client sends it. */
const subscriptionFields = {
  name: subscriptionName,
  pushConfig: v.optional(pushConfig),
  ackDeadlineSeconds: int32,
  retainAckedMessages: flag,
  messageRetentionDuration: v.optional(duration),
  labels: stringMap,
  enableMessageOrdering: flag,
  expirationPolicy: v.optional(message({ ttl: v.optional(duration) })),
  deadLetterPolicy: v.optional(message({ deadLetterTopic: topicName, maxDeliveryAttempts: int32 })),
  retryPolicy: v.optional(message({ minimumBackoff: v.optional(duration), maximumBackoff: v.optional(duration) })),
  // Output only: clients send back what they received.
  state: text,
};
const newSubscription = message({ ...subscriptionFields, topic: topicName });
const subscription = message({ ...subscriptionFields, topic: text });

const pubsubMessage = message({
  data: v.optional(bytes, Buffer.alloc(0)),
  attributes: stringMap,
  orderingKey: text,
  messageId: text,
  publishTime: v.optional(v.union([timestamp, v.string()])),
});

export type PushConfigRequest = v.InferOutput<typeof pushConfig>;
export type SubscriptionRequest = v.InferOutput<typeof subscription>;
export type MessageRequest = v.InferOutput<typeof pubsubMessage>;

/** The supported requests of google.pubsub.v1, in protobuf or JSON. */
export const REQUESTS = {
  createTopic: message({ name: topicName, labels: stringMap, messageRetentionDuration: v.optional(duration), state: text }),
  topicByName: message({ topic: topicName }),
  listTopics: message({ project: projectName, ...page }),
  listTopicSubscriptions: message({ topic: topicName, ...page }),
  publish: message({ topic: topicName, messages: v.optional(v.array(pubsubMessage), []) }),
  createSubscription: newSubscription,
  subscriptionByName: message({ subscription: subscriptionName }),
  listSubscriptions: message({ project: projectName, ...page }),
  updateSubscription: message({ subscription, updateMask: v.optional(fieldMask, "") }),
  modifyPushConfig: message({ subscription: subscriptionName, pushConfig: v.optional(pushConfig) }),
  pull: message({ subscription: subscriptionName, returnImmediately: flag, maxMessages: int32 }),
  acknowledge: message({ subscription: subscriptionName, ackIds: strings }),
  modifyAckDeadline: message({ subscription: subscriptionName, ackIds: strings, ackDeadlineSeconds: int32 }),
  streamingPull: message({
    subscription: v.optional(v.union([v.literal(""), subscriptionName]), ""),
    ackIds: strings,
    modifyDeadlineSeconds: v.optional(v.array(v.number()), []),
    modifyDeadlineAckIds: strings,
    streamAckDeadlineSeconds: int32,
    clientId: text,
    maxOutstandingMessages: int32,
    maxOutstandingBytes: int32,
    protocolVersion: int32,
  }),
};

import type { Lease } from "./consumer.ts";
import type { Form } from "./form.ts";
import type { PushConfig, SubscriptionConfig, TopicConfig } from "./model.ts";

/** google.pubsub.v1.Topic. */
export function topicResource({ name, labels, messageRetentionDuration }: TopicConfig, form: Form): object {
  return {
    name,
    ...unlessEmpty({ labels }),
    ...(messageRetentionDuration !== undefined && { messageRetentionDuration: form.duration(messageRetentionDuration) }),
  };
}

/** google.pubsub.v1.Subscription. */
export function subscriptionResource(config: SubscriptionConfig, form: Form): object {
  const { deadLetterPolicy, retryPolicy } = config;
  const { ttl } = config.expirationPolicy;
  return {
    name: config.name,
    topic: config.topic,
    pushConfig: config.pushConfig ? pushConfigFields(config.pushConfig) : {},
    ackDeadlineSeconds: config.ackDeadlineSeconds,
    messageRetentionDuration: form.duration(config.messageRetentionDuration),
    ...unlessEmpty({ labels: config.labels }),
    expirationPolicy: ttl === undefined ? {} : { ttl: form.duration(ttl) },
    state: "ACTIVE",
    ...(config.retainAckedMessages && { retainAckedMessages: true }),
    ...(config.enableMessageOrdering && { enableMessageOrdering: true }),
    ...(deadLetterPolicy && { deadLetterPolicy }),
    ...(retryPolicy && {
      retryPolicy: {
        minimumBackoff: form.duration(retryPolicy.minimumBackoff),
        maximumBackoff: form.duration(retryPolicy.maximumBackoff),
      },
    }),
  };
}

/** google.pubsub.v1.ReceivedMessage. The attempt is included only with a dead-letter policy, which counts it. */
export function receivedMessage({ ackId, message, deliveryAttempt }: Lease, config: SubscriptionConfig, form: Form): object {
  const { data, attributes, messageId, publishTime, orderingKey } = message;
  return {
    ackId,
    message: {
      ...(data.length > 0 && { data: form.bytes(data) }),
      ...unlessEmpty({ attributes }),
      messageId,
      publishTime: form.time(publishTime),
      ...(orderingKey !== "" && { orderingKey }),
    },
    ...(config.deadLetterPolicy && { deliveryAttempt }),
  };
}

function pushConfigFields({ pushEndpoint, attributes, oidcToken }: PushConfig): object {
  return { pushEndpoint, ...unlessEmpty({ attributes }), ...(oidcToken && { oidcToken }) };
}

function unlessEmpty(fields: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));
}

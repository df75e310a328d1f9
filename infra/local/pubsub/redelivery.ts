import type { Message, SubscriptionConfig } from "./model.ts";
import { idOf, projectOf } from "./names.ts";

/**
 * The delay before an unacknowledged message is redelivered, in milliseconds, after `deliveries` deliveries: by the subscription's retry
 * policy. Without one it is 0 for pull, and 100 ms to 60 s for push (https://cloud.google.com/pubsub/docs/push#push_backoff).
 */
export function redeliveryDelay({ retryPolicy, pushConfig }: SubscriptionConfig, deliveries: number): number {
  if (retryPolicy) return Math.min(retryPolicy.minimumBackoff * 2 ** (deliveries - 1), retryPolicy.maximumBackoff);
  return pushConfig ? Math.min(100 * 2 ** (deliveries - 1), 60_000) : 0;
}

/** The attributes of a message at the dead-letter topic. */
export function deadLetterAttributes(message: Message, subscription: string, deliveries: number): Record<string, string> {
  return {
    ...message.attributes,
    CloudPubSubDeadLetterSourceDeliveryCount: String(deliveries),
    CloudPubSubDeadLetterSourceSubscription: idOf(subscription),
    CloudPubSubDeadLetterSourceSubscriptionProject: projectOf(subscription),
    CloudPubSubDeadLetterSourceTopicPublishTime: new Date(message.publishTime).toISOString(),
  };
}

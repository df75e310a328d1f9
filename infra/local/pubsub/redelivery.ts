import type { Message, SubscriptionConfig } from "./model.ts";
import { idOf, projectOf } from "./names.ts";

/**
 * The wait before a message that was not acknowledged goes out again, in milliseconds, after so many deliveries: the
 * subscription's retry policy; without one at once when it is pulled, from 100 ms to 60 s when it is pushed
 * (https://cloud.google.com/pubsub/docs/push#push_backoff).
 */
export function redeliveryDelay({ retryPolicy, pushConfig }: SubscriptionConfig, deliveries: number): number {
  if (retryPolicy) return Math.min(retryPolicy.minimumBackoff * 2 ** (deliveries - 1), retryPolicy.maximumBackoff);
  return pushConfig ? Math.min(100 * 2 ** (deliveries - 1), 60_000) : 0;
}

/** The attributes with which a message arrives at the dead-letter topic. */
export function deadLetterAttributes(message: Message, subscription: string, deliveries: number): Record<string, string> {
  return {
    ...message.attributes,
    CloudPubSubDeadLetterSourceDeliveryCount: String(deliveries),
    CloudPubSubDeadLetterSourceSubscription: idOf(subscription),
    CloudPubSubDeadLetterSourceSubscriptionProject: projectOf(subscription),
    CloudPubSubDeadLetterSourceTopicPublishTime: new Date(message.publishTime).toISOString(),
  };
}

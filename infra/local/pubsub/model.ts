/** A published message. */
export interface Message {
  readonly messageId: string;
  readonly data: Buffer;
  readonly attributes: Readonly<Record<string, string>>;
  readonly orderingKey: string;
  /** Milliseconds since 1970. */
  readonly publishTime: number;
}

export interface PushConfig {
  readonly pushEndpoint: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly oidcToken: { readonly serviceAccountEmail: string; readonly audience: string } | undefined;
}

/** The settings of a subscription. Durations are in milliseconds, except `ackDeadlineSeconds`. */
export interface SubscriptionConfig {
  readonly name: string;
  readonly topic: string;
  /** Undefined for a pull subscription. */
  readonly pushConfig: PushConfig | undefined;
  readonly ackDeadlineSeconds: number;
  readonly retainAckedMessages: boolean;
  readonly messageRetentionDuration: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly enableMessageOrdering: boolean;
  /** An undefined time to live means that it never expires. */
  readonly expirationPolicy: { readonly ttl: number | undefined };
  readonly deadLetterPolicy: { readonly deadLetterTopic: string; readonly maxDeliveryAttempts: number } | undefined;
  readonly retryPolicy: { readonly minimumBackoff: number; readonly maximumBackoff: number } | undefined;
}

export interface TopicConfig {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly messageRetentionDuration: number | undefined;
}

/** The `topic` of a subscription whose topic was deleted. */
export const DELETED_TOPIC = "_deleted-topic_";

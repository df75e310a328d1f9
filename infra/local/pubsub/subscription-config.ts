import { status } from "@grpc/grpc-js";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { PushConfig, SubscriptionConfig } from "./model.ts";
import type { PushConfigRequest, SubscriptionRequest } from "./requests.ts";

const DAY_MS = 24 * 3_600_000;

/** The fields that UpdateSubscription can change. */
const MUTABLE = [
  "pushConfig",
  "ackDeadlineSeconds",
  "retainAckedMessages",
  "messageRetentionDuration",
  "labels",
  "expirationPolicy",
  "deadLetterPolicy",
  "retryPolicy",
] as const;

/** Returns a new subscription's settings with Pub/Sub's defaults. Throws INVALID_ARGUMENT or OUT_OF_RANGE outside Pub/Sub's limits. */
export function subscriptionConfig(request: SubscriptionRequest): SubscriptionConfig {
  const { deadLetterPolicy, retryPolicy } = request;
  const config: SubscriptionConfig = {
    name: request.name,
    topic: request.topic,
    pushConfig: pushConfigOf(request.pushConfig),
    ackDeadlineSeconds: request.ackDeadlineSeconds || 10,
    retainAckedMessages: request.retainAckedMessages,
    messageRetentionDuration: request.messageRetentionDuration ?? 7 * DAY_MS,
    labels: request.labels,
    enableMessageOrdering: request.enableMessageOrdering,
    expirationPolicy: request.expirationPolicy ? { ttl: request.expirationPolicy.ttl } : { ttl: 31 * DAY_MS },
    deadLetterPolicy: deadLetterPolicy && {
      deadLetterTopic: deadLetterPolicy.deadLetterTopic,
      maxDeliveryAttempts: deadLetterPolicy.maxDeliveryAttempts || 5,
    },
    retryPolicy: retryPolicy && {
      minimumBackoff: retryPolicy.minimumBackoff ?? 10_000,
      maximumBackoff: retryPolicy.maximumBackoff ?? 600_000,
    },
  };
  checkLimits(config);
  return config;
}

/** Returns the settings after an update. Throws INVALID_ARGUMENT for an immutable field, and the errors of `subscriptionConfig`. */
export function updatedConfig(current: SubscriptionConfig, request: SubscriptionRequest, paths: readonly string[]): SubscriptionConfig {
  if (paths.length === 0) refuse("The update_mask in the UpdateSubscriptionRequest must be set, and must contain a non-empty paths list.");
  const asked = subscriptionConfig(request);
  const updated = { ...current };
  for (const path of paths) {
    const field = MUTABLE.find((name) => name === path);
    if (field === undefined)
      refuse(`Invalid update_mask provided in the UpdateSubscriptionRequest: the ${path} field in the Subscription is not mutable.`);
    Object.assign(updated, { [field]: asked[field] });
  }
  return updated;
}

/** Returns the push settings; undefined for a pull subscription. Throws INVALID_ARGUMENT for an invalid endpoint. */
export function pushConfigOf(request: PushConfigRequest | undefined): PushConfig | undefined {
  if (!request?.pushEndpoint) return undefined;
  const { pushEndpoint, attributes, oidcToken } = request;
  if (!/^https?:\/\//.test(pushEndpoint) || !URL.canParse(pushEndpoint)) refuse(`Invalid push endpoint given (endpoint=${pushEndpoint}).`);
  return {
    pushEndpoint,
    attributes,
    oidcToken: oidcToken && { serviceAccountEmail: oidcToken.serviceAccountEmail, audience: oidcToken.audience || pushEndpoint },
  };
}

/** Throws INVALID_ARGUMENT for an ack deadline (seconds) outside Pub/Sub's limits. */
export function checkAckDeadline(seconds: number, least: number): void {
  if (seconds < least || seconds > 600)
    refuse(`Invalid ack deadline given (ack_deadline_seconds=${seconds}). It must be between ${least} and 600.`);
}

function checkLimits(config: SubscriptionConfig): void {
  checkAckDeadline(config.ackDeadlineSeconds, 10);
  if (config.messageRetentionDuration < 600_000 || config.messageRetentionDuration > 31 * DAY_MS)
    refuse("Invalid message retention duration given. It must be between 10 minutes and 31 days.");
  const { deadLetterPolicy, retryPolicy } = config;
  if (deadLetterPolicy) checkAttempts(deadLetterPolicy.maxDeliveryAttempts);
  if (!retryPolicy) return;
  for (const backoff of [retryPolicy.minimumBackoff, retryPolicy.maximumBackoff])
    if (backoff < 0 || backoff > 600_000) refuse("Invalid retry policy given. A backoff must be between 0 and 600 seconds.");
  if (retryPolicy.minimumBackoff > retryPolicy.maximumBackoff)
    refuse("Invalid retry policy given. The minimum backoff must not be more than the maximum backoff.");
}

function checkAttempts(attempts: number): void {
  if (attempts >= 5 && attempts <= 100) return;
  const [size, bound] = attempts < 5 ? ["small", "minimum value is 5"] : ["large", "maximum value is 100"];
  throw new RpcError(
    status.OUT_OF_RANGE,
    `The value for max_delivery_attempts is too ${size}. You passed ${attempts} in the request, but the ${bound}.`,
  );
}

function refuse(details: string): never {
  throw new RpcError(status.INVALID_ARGUMENT, details);
}

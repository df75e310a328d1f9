import { status } from "@grpc/grpc-js";
import type { QueueSettings, RateLimits } from "./model.ts";
import type { QueueRequest } from "./requests.ts";
import type { RetryConfig } from "./retry.ts";
import { RpcError } from "./wire/rpc-error.ts";

/** Returns a new queue's settings with the defaults of Cloud Tasks. Throws INVALID_ARGUMENT outside its limits. */
export function queueSettings(request: Pick<QueueRequest, "rateLimits" | "retryConfig">): QueueSettings {
  return { rateLimits: rateLimits(request.rateLimits), retryConfig: retryConfig(request.retryConfig) };
}

function rateLimits(request: QueueRequest["rateLimits"]): RateLimits {
  const maxDispatchesPerSecond = request?.maxDispatchesPerSecond || 500;
  const maxConcurrentDispatches = request?.maxConcurrentDispatches || 1000;
  check(within(maxDispatchesPerSecond, 0, 500), "RateLimits.maxDispatchesPerSecond must be between 0 and 500.");
  check(within(maxConcurrentDispatches, 1, 5000), "RateLimits.maxConcurrentDispatches must be between 1 and 5000.");
  // Values observed on real queues: 10 at one per second, 100 at five hundred.
  const maxBurstSize = Math.max(10, Math.ceil(maxDispatchesPerSecond / 5));
  return { maxDispatchesPerSecond, maxBurstSize, maxConcurrentDispatches };
}

function retryConfig(request: QueueRequest["retryConfig"]): RetryConfig {
  const config = {
    maxAttempts: request?.maxAttempts || 100,
    maxRetryDuration: request?.maxRetryDuration ?? 0,
    minBackoff: request?.minBackoff ?? 100,
    maxBackoff: request?.maxBackoff ?? 3_600_000,
    maxDoublings: request?.maxDoublings || 16,
  };
  check(config.maxAttempts >= -1, "RetryConfig.maxAttempts must be -1 or more.");
  check(config.maxDoublings >= 0, "RetryConfig.maxDoublings must not be negative.");
  check(config.maxRetryDuration >= 0, "RetryConfig.maxRetryDuration must not be negative.");
  check(config.minBackoff >= 0, "RetryConfig.minBackoff must not be negative.");
  check(config.minBackoff <= config.maxBackoff, "RetryConfig.minBackoff must not be more than RetryConfig.maxBackoff.");
  return config;
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function check(holds: boolean, refusal: string): void {
  if (!holds) throw new RpcError(status.INVALID_ARGUMENT, refusal);
}

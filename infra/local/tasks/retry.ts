/** The retry settings of a queue. Durations are in milliseconds. `maxAttempts` -1 and `maxRetryDuration` 0 mean no limit. */
export interface RetryConfig {
  readonly maxAttempts: number;
  readonly maxRetryDuration: number;
  readonly minBackoff: number;
  readonly maxBackoff: number;
  readonly maxDoublings: number;
}

/**
 * Returns the delay before the `retry`-th retry (from 1), in milliseconds. It doubles `maxDoublings` times, then grows linearly, up to
 * `maxBackoff`. Source: RetryConfig.max_doublings in google/cloud/tasks/v2/queue.proto.
 */
export function backoff(config: RetryConfig, retry: number): number {
  const doublings = Math.min(retry - 1, config.maxDoublings);
  const steps = Math.max(retry - config.maxDoublings, 1);
  return Math.min(config.minBackoff * 2 ** doublings * steps, config.maxBackoff);
}

/** Whether no further attempt is allowed. If both limits are set, both must be reached (RetryConfig.max_retry_duration). */
export function isExhausted(config: RetryConfig, attempts: number, sinceFirstAttempt: number): boolean {
  if (config.maxAttempts === -1 && config.maxRetryDuration === 0) return false;
  const attemptsSpent = config.maxAttempts === -1 || attempts >= config.maxAttempts;
  return attemptsSpent && (config.maxRetryDuration === 0 || sinceFirstAttempt >= config.maxRetryDuration);
}

/** Returns the delay of a Retry-After header (RFC 9110 §10.2.3), in milliseconds; 0 if it is missing, invalid or past. */
export function retryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(wait, 0) : 0;
}

import type { status } from "@grpc/grpc-js";
import type { RetryConfig } from "./retry.ts";

export interface RateLimits {
  readonly maxDispatchesPerSecond: number;
  readonly maxBurstSize: number;
  readonly maxConcurrentDispatches: number;
}

export interface QueueSettings {
  readonly rateLimits: RateLimits;
  readonly retryConfig: RetryConfig;
}

/** The service account whose token the request carries. */
export type Authorization =
  | { readonly kind: "oauth"; readonly serviceAccountEmail: string; readonly scope: string }
  | { readonly kind: "oidc"; readonly serviceAccountEmail: string; readonly audience: string };

export interface HttpTarget {
  readonly url: string;
  readonly httpMethod: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly authorization: Authorization | undefined;
}

/** One dispatch. Times are in milliseconds since 1970. */
export interface Attempt {
  readonly scheduleTime: number;
  readonly dispatchTime: number;
  responseTime?: number;
  responseStatus?: { readonly code: status; readonly message: string };
}

/** A task of a queue. Times are in milliseconds since 1970, `dispatchDeadline` in milliseconds. */
export interface Task {
  readonly name: string;
  readonly target: HttpTarget;
  readonly createTime: number;
  readonly dispatchDeadline: number;
  scheduleTime: number;
  dispatchCount: number;
  responseCount: number;
  /** Responses other than 5xx: the value of X-CloudTasks-TaskExecutionCount. */
  executionCount: number;
  previousResponse: number | undefined;
  firstAttempt: Attempt | undefined;
  lastAttempt: Attempt | undefined;
}

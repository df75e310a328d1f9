import { status } from "@grpc/grpc-js";
import * as v from "valibot";

/** The schemas of `model.ts` as stored. */
const attempt = v.object({
  scheduleTime: v.number(),
  dispatchTime: v.number(),
  responseTime: v.exactOptional(v.number()),
  responseStatus: v.exactOptional(v.object({ code: v.enum(status), message: v.string() })),
});

const progress = {
  scheduleTime: v.number(),
  dispatchCount: v.number(),
  responseCount: v.number(),
  executionCount: v.number(),
  previousResponse: v.undefinedable(v.number()),
  firstAttempt: v.undefinedable(attempt),
  lastAttempt: v.undefinedable(attempt),
};

/** The part of a task that changes with its attempts. Stored apart from the task, whose body may be large. */
export const storedProgress = v.object(progress);

const account = v.string();

export const storedTask = v.object({
  name: v.string(),
  target: v.object({
    url: v.string(),
    httpMethod: v.string(),
    headers: v.record(v.string(), v.string()),
    body: v.instance(Buffer),
    authorization: v.undefinedable(
      v.variant("kind", [
        v.object({ kind: v.literal("oauth"), serviceAccountEmail: account, scope: v.string() }),
        v.object({ kind: v.literal("oidc"), serviceAccountEmail: account, audience: v.string() }),
      ]),
    ),
  }),
  createTime: v.number(),
  dispatchDeadline: v.number(),
  ...progress,
});

export const storedQueue = v.object({
  name: v.string(),
  settings: v.object({
    rateLimits: v.object({ maxDispatchesPerSecond: v.number(), maxBurstSize: v.number(), maxConcurrentDispatches: v.number() }),
    retryConfig: v.object({
      maxAttempts: v.number(),
      maxRetryDuration: v.number(),
      minBackoff: v.number(),
      maxBackoff: v.number(),
      maxDoublings: v.number(),
    }),
  }),
  paused: v.boolean(),
  purgeTime: v.undefinedable(v.number()),
});

/** A queue without its tasks. */
export type StoredQueue = v.InferOutput<typeof storedQueue>;

import * as v from "valibot";
import { locationName, queueName, taskName } from "./names.ts";
import { bytes, duration, int32, message, stringMap, text, timestamp } from "./wire/message-fields.ts";

const view = v.optional(v.picklist(["VIEW_UNSPECIFIED", "BASIC", "FULL"]), "BASIC");
const page = { pageSize: int32, pageToken: text };

/** google.cloud.tasks.v2.Queue as a client sends it. Output-only fields are ignored. */
const queue = message({
  name: queueName,
  rateLimits: v.optional(
    message({ maxDispatchesPerSecond: v.optional(v.number(), 0), maxBurstSize: int32, maxConcurrentDispatches: int32 }),
  ),
  retryConfig: v.optional(
    message({
      maxAttempts: int32,
      maxRetryDuration: v.optional(duration),
      minBackoff: v.optional(duration),
      maxBackoff: v.optional(duration),
      maxDoublings: int32,
    }),
  ),
  state: text,
  purgeTime: v.optional(timestamp),
});

const httpRequest = message({
  url: text,
  httpMethod: v.optional(v.string(), "POST"),
  headers: stringMap,
  body: v.optional(bytes, Buffer.alloc(0)),
  oauthToken: v.optional(message({ serviceAccountEmail: text, scope: text })),
  oidcToken: v.optional(message({ serviceAccountEmail: text, audience: text })),
});

/** google.cloud.tasks.v2.Task as a client sends it. Output-only fields are refused. The name may be absent. */
const task = message({
  name: v.optional(v.union([v.literal(""), taskName]), ""),
  httpRequest: v.optional(httpRequest),
  scheduleTime: v.optional(timestamp),
  dispatchDeadline: v.optional(duration),
});

export type QueueRequest = v.InferOutput<typeof queue>;
export type TaskRequest = v.InferOutput<typeof task>;
export type HttpRequest = v.InferOutput<typeof httpRequest>;
export type View = v.InferOutput<typeof view>;

/** The supported requests. */
export const REQUESTS = {
  createQueue: message({ parent: locationName, queue }),
  queueByName: message({ name: queueName }),
  listQueues: message({ parent: locationName, ...page }),
  createTask: message({ parent: queueName, task, responseView: view }),
  taskByName: message({ name: taskName, responseView: view }),
  listTasks: message({ parent: queueName, responseView: view, ...page }),
};

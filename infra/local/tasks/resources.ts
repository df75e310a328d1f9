import type { Attempt, Authorization, Task } from "./model.ts";
import type { Queue } from "./queue.ts";
import type { View } from "./requests.ts";
import { toProtoTime } from "./wire/message-fields.ts";

/** google.cloud.tasks.v2.Queue. */
export function queueResource(queue: Queue): object {
  const { rateLimits, retryConfig } = queue.settings;
  return {
    name: queue.name,
    rateLimits,
    retryConfig: {
      maxAttempts: retryConfig.maxAttempts,
      ...(retryConfig.maxRetryDuration > 0 && { maxRetryDuration: toProtoTime(retryConfig.maxRetryDuration) }),
      minBackoff: toProtoTime(retryConfig.minBackoff),
      maxBackoff: toProtoTime(retryConfig.maxBackoff),
      maxDoublings: retryConfig.maxDoublings,
    },
    state: queue.state,
    ...(queue.purgeTime !== undefined && { purgeTime: toProtoTime(queue.purgeTime) }),
  };
}

/** google.cloud.tasks.v2.Task. The body is included only in the full view. */
export function taskResource(task: Task, view: View): object {
  const { target } = task;
  const full = view === "FULL";
  return {
    name: task.name,
    httpRequest: {
      url: target.url,
      httpMethod: target.httpMethod,
      headers: { ...target.headers, "User-Agent": "Google-Cloud-Tasks" },
      ...(full && { body: target.body }),
      ...authorizationFields(target.authorization),
    },
    scheduleTime: toProtoTime(task.scheduleTime),
    createTime: toProtoTime(Math.floor(task.createTime / 1000) * 1000),
    dispatchDeadline: toProtoTime(task.dispatchDeadline),
    dispatchCount: task.dispatchCount,
    responseCount: task.responseCount,
    ...(task.firstAttempt && { firstAttempt: { dispatchTime: toProtoTime(task.firstAttempt.dispatchTime) } }),
    ...(task.lastAttempt && { lastAttempt: attemptFields(task.lastAttempt) }),
    view: full ? "FULL" : "BASIC",
  };
}

function authorizationFields(authorization: Authorization | undefined): object {
  if (authorization === undefined) return {};
  const { serviceAccountEmail } = authorization;
  return authorization.kind === "oauth"
    ? { oauthToken: { serviceAccountEmail, scope: authorization.scope } }
    : { oidcToken: { serviceAccountEmail, audience: authorization.audience } };
}

function attemptFields(attempt: Attempt): object {
  return {
    scheduleTime: toProtoTime(attempt.scheduleTime),
    dispatchTime: toProtoTime(attempt.dispatchTime),
    ...(attempt.responseTime !== undefined && { responseTime: toProtoTime(attempt.responseTime) }),
    ...(attempt.responseStatus && { responseStatus: attempt.responseStatus }),
  };
}

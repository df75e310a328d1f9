import { status } from "@grpc/grpc-js";
import type { Attempt, Task } from "./model.ts";
import { idOf, queueOfTask } from "./names.ts";
import type { HttpOutcome, OutgoingRequest } from "./wire/http-sender.ts";
import type { TokenCache } from "./wire/token-cache.ts";

const CODES: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ABORTED,
  416: status.OUT_OF_RANGE,
  429: status.RESOURCE_EXHAUSTED,
  499: status.CANCELLED,
  501: status.UNIMPLEMENTED,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
};

/**
 * Returns the request of a task's next attempt, with the headers that Cloud Tasks adds. `tokens` provides the bearer token; without it none
 * is sent. Throws if the service account cannot mint (deleted or disabled).
 */
export function attemptRequest(task: Task, tokens: TokenCache | undefined): OutgoingRequest {
  const { url, httpMethod, headers, body } = task.target;
  return {
    url,
    method: httpMethod,
    body: body.length > 0 ? body : undefined,
    headers: {
      ...headers,
      "User-Agent": "Google-Cloud-Tasks",
      "X-CloudTasks-QueueName": idOf(queueOfTask(task.name)),
      "X-CloudTasks-TaskName": idOf(task.name),
      "X-CloudTasks-TaskRetryCount": String(task.dispatchCount),
      "X-CloudTasks-TaskExecutionCount": String(task.executionCount),
      "X-CloudTasks-TaskETA": (task.scheduleTime / 1000).toFixed(6),
      ...(task.previousResponse === undefined ? {} : { "X-CloudTasks-TaskPreviousResponse": String(task.previousResponse) }),
      ...bearer(task, tokens),
    },
  };
}

/** Records an attempt's outcome in the attempt and its task. */
export function recordOutcome(task: Task, attempt: Attempt, outcome: HttpOutcome, now: number): void {
  attempt.responseStatus = statusOf(outcome);
  if (outcome.kind === "unanswered") return;
  attempt.responseTime = now;
  task.responseCount++;
  task.previousResponse = outcome.status;
  if (outcome.status < 500) task.executionCount++;
}

/** Converts an outcome to a google.rpc.Status. */
function statusOf(outcome: HttpOutcome): { code: status; message: string } {
  if (outcome.kind === "unanswered") return { code: status.UNAVAILABLE, message: outcome.reason };
  if (isSuccess(outcome)) return { code: status.OK, message: "" };
  const code = CODES[outcome.status] ?? (outcome.status >= 500 ? status.INTERNAL : status.UNKNOWN);
  return { code, message: `HTTP status code ${outcome.status}` };
}

/** Whether the outcome completes the task. */
export function isSuccess(outcome: HttpOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

function bearer(task: Task, tokens: TokenCache | undefined): Record<string, string> {
  const { authorization } = task.target;
  if (authorization === undefined || tokens === undefined) return {};
  const { kind, serviceAccountEmail } = authorization;
  // An ID token has an audience and no scopes: no Google API accepts it.
  const { accessToken } = tokens.token(serviceAccountEmail, kind === "oauth" ? [authorization.scope] : []);
  return { Authorization: `Bearer ${accessToken}` };
}

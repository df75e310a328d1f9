import { validateHeaderName, validateHeaderValue } from "node:http";
import { status } from "@grpc/grpc-js";
import type { Identity } from "../identity.ts";
import { SCOPES } from "../identity.ts";
import type { Authorization, HttpTarget, Task } from "./model.ts";
import { queueOfTask } from "./names.ts";
import type { HttpRequest, TaskRequest } from "./requests.ts";
import { RpcError } from "./wire/rpc-error.ts";

/** Limits of Cloud Tasks: https://cloud.google.com/tasks/docs/quotas and task.proto. Sizes in bytes, times in milliseconds. */
const TASK_BYTES_MAX = 1024 * 1024;
const URL_LENGTH_MAX = 2083;
const HEADER_BYTES_MAX = 80 * 1024;
const SCHEDULE_AHEAD_MAX = 30 * 24 * 3_600_000;
const DEADLINE = { least: 15_000, most: 1_800_000, default: 600_000 };

const METHODS: ReadonlySet<string> = new Set(["POST", "GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]);
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Headers that Cloud Tasks sets itself, and hop-by-hop headers. They are dropped from a task. */
const RESERVED_HEADER =
  /^(host|content-length|connection|keep-alive|transfer-encoding|upgrade|te|trailer|expect|user-agent|x-google-.*|x-appengine-.*|x-cloudtasks-.*)$/i;

export interface NewTaskContext {
  readonly now: number;
  readonly identity: Identity | undefined;
  /** Returns the id of a task without a given name. */
  readonly makeId: () => string;
}

/** Returns the task of a CreateTaskRequest. Throws INVALID_ARGUMENT, or PERMISSION_DENIED if the service account does not exist. */
export function newTask(queue: string, request: TaskRequest, context: NewTaskContext): Task {
  const { now } = context;
  if (request.name !== "" && queueOfTask(request.name) !== queue)
    refuse(
      `The queue name from request ("${queue}") must be the same as the queue name in the named task ("${queueOfTask(request.name)}").`,
    );
  if (request.httpRequest === undefined) refuse("The task must have an HttpRequest.");
  const scheduleTime = Math.max(request.scheduleTime ?? now, now);
  if (scheduleTime > now + SCHEDULE_AHEAD_MAX) refuse("Task.scheduleTime must not be more than 30 days in the future.");
  const dispatchDeadline = Math.trunc(request.dispatchDeadline ?? DEADLINE.default);
  if (dispatchDeadline < DEADLINE.least || dispatchDeadline > DEADLINE.most) refuse("Task.dispatchDeadline must be between [15s, 30m].");
  return {
    name: request.name || `${queue}/tasks/${context.makeId()}`,
    target: httpTarget(request.httpRequest, context.identity),
    createTime: now,
    dispatchDeadline,
    scheduleTime,
    dispatchCount: 0,
    responseCount: 0,
    executionCount: 0,
    previousResponse: undefined,
    firstAttempt: undefined,
    lastAttempt: undefined,
  };
}

function httpTarget(request: HttpRequest, identity: Identity | undefined): HttpTarget {
  const { url, body } = request;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) refuse('HttpRequest.url must begin with "http://" or "https://".');
  if (new URL(url).href.length > URL_LENGTH_MAX) refuse(`HttpRequest.url must not be longer than ${URL_LENGTH_MAX} characters.`);
  const httpMethod = request.httpMethod === "HTTP_METHOD_UNSPECIFIED" ? "POST" : request.httpMethod;
  if (!METHODS.has(httpMethod)) refuse(`HttpRequest.httpMethod ${httpMethod} is not known.`);
  if (body.length > 0 && !METHODS_WITH_BODY.has(httpMethod)) refuse("HTTP body can only be set with POST, PUT or PATCH.");
  if (body.length > TASK_BYTES_MAX) refuse("Task size too large");
  return { url, httpMethod, body, headers: ownHeaders(request.headers), authorization: authorizationOf(request, identity) };
}

function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !RESERVED_HEADER.test(name));
  let size = 0;
  for (const [name, value] of own) {
    size += name.length + Buffer.byteLength(value);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      refuse(`HttpRequest.headers has an invalid header "${name}".`);
    }
  }
  if (size >= HEADER_BYTES_MAX) refuse("HttpRequest.headers must be less than 80KB.");
  return Object.fromEntries(own);
}

function authorizationOf(request: HttpRequest, identity: Identity | undefined): Authorization | undefined {
  const { oauthToken, oidcToken } = request;
  if (oauthToken) {
    const { serviceAccountEmail } = oauthToken;
    checkAccount(serviceAccountEmail, identity);
    return { kind: "oauth", serviceAccountEmail, scope: oauthToken.scope || SCOPES.cloudPlatform };
  }
  if (oidcToken) {
    const { serviceAccountEmail } = oidcToken;
    checkAccount(serviceAccountEmail, identity);
    return { kind: "oidc", serviceAccountEmail, audience: oidcToken.audience || request.url };
  }
  return undefined;
}

function checkAccount(email: string, identity: Identity | undefined): void {
  if (email === "") refuse("serviceAccountEmail is required.");
  if (identity === undefined || identity.hasAccount(email)) return;
  throw new RpcError(
    status.PERMISSION_DENIED,
    `The principal lacks IAM permission "iam.serviceAccounts.actAs" for the resource "${email}" (or the resource may not exist).`,
  );
}

function refuse(details: string): never {
  throw new RpcError(status.INVALID_ARGUMENT, details);
}

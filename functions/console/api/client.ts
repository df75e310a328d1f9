import { signal } from "@preact/signals";
import * as v from "valibot";
import { text } from "../texts.ts";
import { config } from "./config.ts";
import { type Answer, failureOf, RequestFailed, SessionEnded } from "./problem.ts";

/** The key lives here and nowhere else: not in storage, not in a URL, not in a log. It is gone with the tab. */
let apiKey: string | undefined;

/** Ends the requests of the session when it ends: an answer that comes later would be shown to whoever signs in next. */
let session = new AbortController();

/** Until when a request waits because the service asked for patience (429, 503); undefined if none waits. */
export const waitingUntil = signal<number | undefined>(undefined);

/** Called when the service no longer knows the key. */
let onUnknownKey: (reason: string) => void = () => undefined;

/** How long a request waits at a time, and in all, before its failure is told. */
const WAIT_SECONDS_MAX = 60;
const PATIENCE_SECONDS = 180;
/** How long a request waits that names no Retry-After. */
const WAIT_SECONDS = 2;
/** How long an answer may take. An endpoint answers within a minute, the rest is for a slow network. A browser alone would wait for five minutes or more. */
const ANSWER_MINUTES = 2;

/** Uses a key for the requests from now on; undefined forgets it, and ends the requests that are on their way. */
export function useKey(key: string | undefined, ended: (reason: string) => void): void {
  if (key === undefined) {
    session.abort(new SessionEnded());
    session = new AbortController();
  }
  apiKey = key;
  onUnknownKey = ended;
}

interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls an endpoint with the key of the session and returns its answer, parsed. 429 and 503 are waited out by Retry-After, visibly.
 * Throws `RequestFailed` if the service refuses or cannot be reached, `SessionEnded` if the key was forgotten meanwhile.
 */
export async function call<S extends v.GenericSchema>(
  api: "users" | "data",
  path: string,
  schema: S,
  request: Call = {},
): Promise<v.InferOutput<S>> {
  return (await callTagged(api, path, schema, request)).body;
}

/** Like `call`, with the entity tag of the answer; empty if it has none. */
export async function callTagged<S extends v.GenericSchema>(
  api: "users" | "data",
  path: string,
  schema: S,
  request: Call = {},
): Promise<{ readonly body: v.InferOutput<S>; readonly etag: string }> {
  const ended = session.signal;
  const { status, headers, json } = await send(await addressOf(api, path, request.query), request, ended);
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) throw new RequestFailed(status, "unexpected_answer", text("error.unexpected", { path }));
  return { body: parsed.output, etag: headers.get("etag") ?? "" };
}

/** Returns the address of an endpoint with its query. */
export async function addressOf(api: "users" | "data", path: string, query: Call["query"] = {}): Promise<string> {
  const { users_base_url, data_base_url } = await config();
  const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  return `${api === "users" ? users_base_url : data_base_url}${path}${search}`;
}

/** @param ended the end of the session that asks */
async function send(address: string, request: Call, ended: AbortSignal): Promise<Answer> {
  ended.throwIfAborted();
  const key = apiKey;
  // What a page asks for while it is taken down after a sign-out.
  if (key === undefined) throw new SessionEnded();
  const aborts = [ended, ...(request.signal === undefined ? [] : [request.signal])];
  for (let waited = 0; ; ) {
    const answer = await ask(address, key, request, aborts);
    if (answer.ok) return answer;
    const failure = failureOf(answer);
    if (failure.status === 401 && key === apiKey) onUnknownKey(failure.message);
    const isBusy = failure.status === 429 || failure.status === 503;
    if (!isBusy) throw failure;
    const seconds = Number(answer.headers.get("retry-after") ?? WAIT_SECONDS);
    waited += Math.max(seconds, 1);
    if (!(seconds <= WAIT_SECONDS_MAX && waited <= PATIENCE_SECONDS)) throw failure;
    await waitVisibly(seconds * 1000, request.signal);
  }
}

/** Sends a request and reads its answer to the end, unless one of the signals aborts it. */
async function ask(address: string, key: string, { method = "GET", body, headers }: Call, aborts: readonly AbortSignal[]): Promise<Answer> {
  for (const abort of aborts) abort.throwIfAborted();
  const { host } = new URL(address);
  const ending = new AbortController();
  const end = (): void => ending.abort(aborts.find(({ aborted }) => aborted)?.reason);
  const timer = setTimeout(end, ANSWER_MINUTES * 60_000);
  for (const abort of aborts) abort.addEventListener("abort", end);
  try {
    const response = await fetch(address, {
      method,
      headers: {
        "x-api-key": key,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      credentials: "omit",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: ending.signal,
    });
    const answered = await response.text();
    // The session may have ended since the last byte came.
    for (const abort of aborts) abort.throwIfAborted();
    return { host, status: response.status, ok: response.ok, headers: response.headers, json: parseJson(answered) };
  } catch (error) {
    if (aborts.some(({ aborted }) => aborted)) throw error;
    const fault = ending.signal.aborted ? text("error.silent", { host, minutes: ANSWER_MINUTES }) : text("error.unreachable", { host });
    throw new RequestFailed(0, "unreachable", fault);
  } finally {
    clearTimeout(timer);
    for (const abort of aborts) abort.removeEventListener("abort", end);
  }
}

/** Returns what a text is as JSON; undefined if it is something else. */
function parseJson(answered: string): unknown {
  try {
    return JSON.parse(answered);
  } catch {
    return undefined;
  }
}

async function waitVisibly(milliseconds: number, abort: AbortSignal | undefined): Promise<void> {
  waitingUntil.value = Math.max(waitingUntil.value ?? 0, Date.now() + milliseconds);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      abort?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(abort.reason);
      });
    });
  } finally {
    if ((waitingUntil.value ?? 0) <= Date.now() + 50) waitingUntil.value = undefined;
  }
}

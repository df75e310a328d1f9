import { channel } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import * as v from "valibot";
import { inSlices } from "../runtime/in-slices.ts";
import { type After, after, readBytes, StreamLimitExceeded, type StreamLimits } from "../runtime/read-bytes.ts";
import { ServiceError } from "./errors.ts";
import { parseJsonInSlices } from "./json.ts";

/** The maximum size of a request body: 1 MiB. */
const BODY_BYTES_MAX = 1_048_576;
/** How long a request body may pause, and how long it may take, in milliseconds. Neither Node nor the functions framework limits these. */
const BODY_PAUSE_MS_MAX = 5000;
const BODY_MS_MAX = 30_000;

const contentTypes = new WeakMap<object, string>();
const RequestStart = v.object({
  request: v.custom<IncomingMessage>((value) => value instanceof Object && "headers" in value),
});

/**
 * Keeps the functions framework from responding before the handler does. The framework would answer malformed JSON and malformed percent
 * encoding with an HTML page, and read bodies up to 1 GiB. Hides the content type from it (`readBody` restores it) and escapes such paths.
 * @param isOurs selects the requests to take over, if the process also serves event functions
 */
export function takeOverRequests(isOurs: (request: IncomingMessage) => boolean = () => true): void {
  channel("http.server.request.start").subscribe((message) => {
    const { request } = v.parse(RequestStart, message);
    if (!isOurs(request)) return;
    contentTypes.set(request, request.headers["content-type"] ?? "");
    delete request.headers["content-type"];
    request.url = decodablePath(rootedPath(request.url ?? "/"));
  });
}

/** The target of a request line. Source: RFC 9112, section 3.2. */
interface RequestTarget {
  /** Path and query as they were sent. Begins with a slash. */
  readonly path: string;
  /** `host:port` of a target in absolute form. It replaces the header Host. */
  readonly authority?: string;
}

/**
 * Reads a target in origin form (`/path?query`) or in absolute form (`http://host/path?query`), which a server must accept too. Returns undefined for
 * any other: `*`, or a host that cannot be read. Nothing is decoded or normalised.
 */
export function readTarget(target: string): RequestTarget | undefined {
  if (target.startsWith("/")) return { path: target };
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}/`)) return undefined;
  return { path: rest.startsWith("/") ? rest : `/${rest}`, authority };
}

/** Returns the path of a target. One that has none, such as `*`, becomes an unknown path: the framework would answer it with an HTML page. */
function rootedPath(url: string): string {
  return readTarget(url)?.path ?? `/${url}`;
}

/** Escapes a path that cannot be decoded, so that it decodes to itself and matches no id. */
function decodablePath(url: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

/** Returns whether a request has a body, however short: a client can hold it back for as long as the body may take. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Returns whether a client still holds back the body of a request that has just begun. What came along with the headers is parsed by the next turn
 * of the event loop: Node's parser calls back for the headers first.
 */
export async function holdsBackBody(request: IncomingMessage): Promise<boolean> {
  if (hasBody(request) && !request.complete) await setImmediate();
  return hasBody(request) && !request.complete;
}

/**
 * Reads and parses a JSON body. Returns undefined if there is none. Throws `payload_too_large` and `request_timeout` (and stops reading),
 * `unsupported_media_type`, and `invalid_argument` for invalid JSON.
 */
export async function readBody(request: IncomingMessage, startTimer: After = after): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const bytes = await readWithinLimits(request, startTimer);
  if (bytes.length === 0) return undefined;
  const type = contentTypes.get(request) ?? request.headers["content-type"] ?? "";
  const [mime = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (mime !== "application/json" || parameters.some((text) => text.startsWith("charset=") && !/^charset="?utf-?8"?$/.test(text)))
    throw new ServiceError("unsupported_media_type", "A body must be sent as Content-Type: application/json in UTF-8");
  if ((request.headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw new ServiceError("unsupported_media_type", "A body must be sent without Content-Encoding", {
      headers: { "accept-encoding": "identity" },
    });
  return parseBody(bytes);
}

/** What a client that exceeds a limit is told. The connection ends with the response, because the rest of the body is not read. */
const EXCEEDED: Readonly<Record<keyof StreamLimits, () => ServiceError>> = {
  bytesMax: () => unread("payload_too_large", `A body is at most ${BODY_BYTES_MAX.toLocaleString("en")} bytes`),
  pauseMsMax: () =>
    unread("request_timeout", `The body paused for more than ${BODY_PAUSE_MS_MAX / 1000} seconds; send the request again, without pauses`),
  totalMsMax: () =>
    unread(
      "request_timeout",
      `The body took more than ${BODY_MS_MAX / 1000} seconds; send the request again, faster or with a smaller body`,
    ),
};

function unread(code: "payload_too_large" | "request_timeout", detail: string): ServiceError {
  return new ServiceError(code, detail, { headers: { connection: "close" } });
}

async function readWithinLimits(request: IncomingMessage, startTimer: After): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > BODY_BYTES_MAX) throw EXCEEDED.bytesMax();
  const limits = { bytesMax: BODY_BYTES_MAX, pauseMsMax: BODY_PAUSE_MS_MAX, totalMsMax: BODY_MS_MAX };
  try {
    return await readBytes(request, limits, startTimer);
  } catch (error) {
    throw error instanceof StreamLimitExceeded ? EXCEEDED[error.limit]() : error;
  }
}

async function parseBody(bytes: Buffer): Promise<object> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ServiceError("invalid_argument", "The body is not valid UTF-8", {
      cause,
    });
  }
  const result = await inSlices(parseJsonInSlices(text));
  if ("fault" in result)
    throw new ServiceError("invalid_argument", `The body is not valid JSON: ${result.fault.detail} at position ${result.fault.position}`);
  if (typeof result.value !== "object" || result.value === null || Array.isArray(result.value))
    throw new ServiceError("invalid_argument", "The body must be a JSON object");
  return result.value;
}

/** Returns query parameters by name. A repeated parameter becomes an array. */
export function readQuery(search: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    const [only] = values;
    query[name] = values.length === 1 && only !== undefined ? only : values;
  }
  return query;
}

/** Returns the decoded parameters of a path template; undefined if the path does not match. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const actual = path.split("/");
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = actual[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) params[name] = decode(segment);
  }
  return params;
}

/** Returns a segment with malformed percent encoding as it is: it matches no id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

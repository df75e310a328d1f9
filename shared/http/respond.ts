import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import type { Endpoint, Reply } from "./define-endpoint.ts";
import { acceptsGzip, namesEntityTag, ofGzip } from "./negotiation.ts";
import { problemOf } from "./problem.ts";

/** Smaller answers gain nothing: they fit into one packet. */
const PLAIN_BYTES_MAX = 1024;
/** Rows of JSON take half the time of zlib's default, and a tenth more bytes. */
const GZIP_LEVEL = 4;
const gzipped = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);
const compressed = (bytes: Uint8Array): Promise<Buffer> => gzipped(bytes, { level: GZIP_LEVEL });

const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** How the answers of an endpoint are sent. */
export type AnswerPolicy = Pick<Endpoint, "isRevalidated" | "hasCredentials">;

/** What is known of an answer besides its content. */
interface Sending {
  readonly policy: AnswerPolicy;
  readonly requestId: string;
  /** The customer who asks, if it is known. */
  readonly uid: string | undefined;
}

/** An answer as it is sent. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly bytes: Uint8Array | undefined;
}

/** Returns the reply to an error: its problem document. */
export function problemReply(error: unknown, requestId: string): Reply {
  const { body, headers } = problemOf(error, requestId);
  return { status: body.status, body, headers: { "content-type": "application/problem+json", ...headers } };
}

/**
 * Sends a reply with the headers that every response carries, and returns its status: 304 if the client has this answer already. A body is
 * sent as JSON, bytes as they are; compressed if it is larger than 1 KiB and the client asks for it. HEAD has the headers of GET.
 */
export async function send(request: IncomingMessage, response: ServerResponse, reply: Reply, sending: Sending): Promise<number> {
  const { status, headers, bytes } = await encoded(request, revalidated(request, onTheWire(reply, sending), sending), sending.policy);
  response.writeHead(status, headers);
  response.end(bytes);
  return status;
}

function onTheWire({ status, body, headers }: Reply, { policy, requestId }: Sending): WireAnswer {
  const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const type = bytes === undefined ? {} : { "content-type": "application/json" };
  const vary = [headers?.vary ?? [], policy.isRevalidated ? "x-api-key" : [], policy.hasCredentials ? [] : "Accept-Encoding"].flat();
  const common = { ...type, ...SECURITY_HEADERS, "x-request-id": requestId };
  return { status, bytes, headers: { ...common, ...headers, ...(vary.length > 0 ? { vary: vary.join(", ") } : {}) } };
}

/**
 * Adds the entity tag to a successful answer that clients may keep, or replaces it by 304. The tag is made of the content and of the
 * customer, so that none is valid for two customers. It is weak: compressed and plain content have the same one.
 */
function revalidated({ method, headers: asked }: IncomingMessage, answer: WireAnswer, { policy, uid }: Sending): WireAnswer {
  const { status, bytes, headers } = answer;
  const isRead = method === "GET" || method === "HEAD";
  if (!policy.isRevalidated || !isRead || status !== 200 || bytes === undefined) return answer;
  const digest = createHash("sha256")
    .update(`${uid ?? ""}\n`)
    .update(bytes);
  const etag = `W/"${digest.digest("base64url").slice(0, 27)}"`;
  // A client asks before each use: a key may have been revoked since.
  const kept: WireAnswer["headers"] = { ...headers, etag, "cache-control": "private, no-cache" };
  if (!namesEntityTag(asked["if-none-match"], etag)) return { status, bytes, headers: kept };
  const { "content-type": _none, ...others } = kept;
  return { status: 304, bytes: undefined, headers: others };
}

/** Compresses a body where that is worth it, asked for, and not done yet. A strong entity tag becomes that of the compressed form. */
async function encoded({ headers: asked }: IncomingMessage, answer: WireAnswer, policy: AnswerPolicy): Promise<WireAnswer> {
  const { status, bytes, headers } = answer;
  if (bytes === undefined) return answer;
  const isWorthIt = bytes.length > PLAIN_BYTES_MAX && !policy.hasCredentials && headers["content-encoding"] === undefined;
  if (!isWorthIt || !acceptsGzip(asked)) return { ...answer, headers: { ...headers, "content-length": bytes.length } };
  const smaller = await compressed(bytes);
  const etag = typeof headers.etag === "string" ? { etag: ofGzip(headers.etag) } : {};
  return { status, bytes: smaller, headers: { ...headers, ...etag, "content-encoding": "gzip", "content-length": smaller.length } };
}

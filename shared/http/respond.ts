import type { ServerResponse } from "node:http";
import type { Reply } from "./define-endpoint.ts";
import { problemOf } from "./problem.ts";

const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Returns the reply to an error: its problem document. */
export function problemReply(error: unknown, requestId: string): Reply {
  const { body, headers } = problemOf(error, requestId);
  return { status: body.status, body, headers: { "content-type": "application/problem+json", ...headers } };
}

/** Writes a reply with the headers that every response carries. A body is sent as JSON, bytes as they are. */
export function send(response: ServerResponse, { status, body, headers }: Reply, requestId: string): void {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...type, ...SECURITY_HEADERS, "x-request-id": requestId, ...headers });
  response.end(body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body));
}

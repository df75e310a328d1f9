import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import definition from "../../storage-cors.json" with { type: "json" };

const strings = v.array(v.string());
/** The rule of the export bucket, which Terraform reads too. `responseHeader` names what a page may send, and what it may read. */
const RULE = v.parse(v.strictObject({ method: strings, responseHeader: strings, maxAgeSeconds: v.number() }), definition);
const HEADERS = RULE.responseHeader.map((name) => name.toLowerCase());

/** Whether pages of an origin may read from the bucket. */
export type AllowsOrigin = (origin: string) => boolean;

/**
 * Sets the headers that let a page of an allowed origin read the response. Sends the whole response if the request is a CORS preflight, which
 * needs no credentials, and returns true. Source: https://cloud.google.com/storage/docs/cross-origin
 */
export function answerCors(request: IncomingMessage, response: ServerResponse, allowsOrigin: AllowsOrigin): boolean {
  const { origin, "access-control-request-method": method, "access-control-request-headers": headers = "" } = request.headers;
  if (origin === undefined) return false;
  const isPreflight = request.method === "OPTIONS" && method !== undefined;
  const asked = headers.split(",").map((name) => name.trim().toLowerCase());
  const isAllowed = allowsOrigin(origin);
  response.setHeader("Vary", "Origin");
  if (isAllowed && !isPreflight) {
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Expose-Headers", RULE.responseHeader.join(", "));
  }
  if (!isPreflight) return false;
  // As in Cloud Storage, a refused preflight is a 200 without the headers that would allow the request.
  if (isAllowed && RULE.method.includes(method) && asked.every((name) => name === "" || HEADERS.includes(name))) {
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Methods", RULE.method.join(", "));
    response.setHeader("Access-Control-Allow-Headers", RULE.responseHeader.join(", "));
    response.setHeader("Access-Control-Max-Age", RULE.maxAgeSeconds);
  }
  response.writeHead(200, { "Content-Length": 0 }).end();
  return true;
}

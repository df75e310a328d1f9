import type { Reply } from "./define-endpoint.ts";

const HOUR_SECONDS = "3600";

/**
 * The headers with which a browser lets a page of an allowed origin read an answer; none for any other origin, and none at all unless the
 * deployment names origins. Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  if (origin === undefined || !allowed.includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Deprecation, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, x-request-id",
  };
}

/** The answer to a browser that asks whether it may send a request; undefined when the origin is not allowed, or nobody asks. */
export function preflight(method: string | undefined, headers: Record<string, string>): Reply | undefined {
  if (method !== "OPTIONS" || headers["access-control-allow-origin"] === undefined) return undefined;
  return {
    status: 204,
    body: undefined,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      "access-control-allow-headers": "content-type, idempotency-key, if-match, x-api-key",
      "access-control-max-age": HOUR_SECONDS,
    },
  };
}

import type { Config } from "../runtime/config.ts";
import type { Reply } from "./define-endpoint.ts";

const HOUR_SECONDS = "3600";

/**
 * Returns the CORS headers that let a page of an allowed origin read a response; only `vary` for other origins, and no headers if the
 * deployment allows no origins. Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders(
  origin: string | undefined,
  { corsOrigins, corsLoopback }: Pick<Config, "corsOrigins" | "corsLoopback">,
): Record<string, string> {
  if (corsOrigins.length === 0 && !corsLoopback) return {};
  const isAllowed = origin !== undefined && (corsOrigins.includes(origin) || (corsLoopback && isLoopbackOrigin(origin)));
  if (!isAllowed) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "Deprecation, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, x-request-id",
  };
}

/** Whether an origin is this computer, at any port. */
export function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(origin);
}

/** Returns the response to a CORS preflight request; undefined for other requests and for origins that are not allowed. */
export function preflight(method: string | undefined, headers: Record<string, string>): Reply | undefined {
  if (method !== "OPTIONS" || headers["access-control-allow-origin"] === undefined) return undefined;
  return {
    status: 204,
    body: undefined,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "content-type, idempotency-key, if-match, if-none-match, x-api-key",
      "access-control-max-age": HOUR_SECONDS,
    },
  };
}

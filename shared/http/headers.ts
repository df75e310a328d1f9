/** The request headers that endpoints may declare, as OpenAPI describes them. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": {
    description: "The same key and body within 24 hours return the same job; the same key with another body is a 422",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  "If-None-Match": {
    description: "The ETag of the answer that the client has; while it is still right, the response is 304, or 412 to a change",
    schema: { type: "string" },
  },
  "If-Match": { description: "The ETag of the version to change; another version is a 412", schema: { type: "string" } },
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** The response headers that endpoints may declare. */
export const RESPONSE_HEADERS = {
  Allow: { description: "With 405: the methods that the path supports", schema: { type: "string" } },
  "Cache-Control": { description: "Whether a client may keep the answer", schema: { type: "string" } },
  Deprecation: { description: "Since when a parameter of the request is deprecated (RFC 9745)", schema: { type: "string" } },
  ETag: { description: "The version of the returned resource, for If-Match or If-None-Match", schema: { type: "string" } },
  Location: { description: "The path of the status of the new resource", schema: { type: "string" } },
  RateLimit: { description: "How many requests are left, and in how many seconds all of them are available", schema: { type: "string" } },
  "RateLimit-Policy": {
    description: "How many requests one instance of the service accepts at once, and in how many seconds",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds to wait before a retry", schema: { type: "integer", minimum: 1 } },
  Vary: { description: "The headers of the request that the answer depends on", schema: { type: "string" } },
  "WWW-Authenticate": {
    description: "With 401: the scheme ApiKey (RFC 9110, 11.6.1), and the header that takes the key",
    schema: { type: "string" },
  },
  "x-request-id": { description: "The id of the request, for support", schema: { type: "string", format: "uuid" } },
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

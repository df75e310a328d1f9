/** The headers that endpoints may name as read, as OpenAPI describes them. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": {
    description: "The same key and body within 24 hours answer the same job; the same key with another body is a 422",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  "If-Match": { description: "The ETag of the version that is to be changed; another version is a 412", schema: { type: "string" } },
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** The headers that endpoints may name as sent. */
export const RESPONSE_HEADERS = {
  Allow: { description: "With 405: the methods that the path takes", schema: { type: "string" } },
  Deprecation: { description: "Since when a parameter of the request is deprecated (RFC 9745)", schema: { type: "string" } },
  ETag: { description: "The version of what is returned, for If-Match", schema: { type: "string" } },
  Location: { description: "The path that tells how the new thing stands", schema: { type: "string" } },
  RateLimit: { description: "How many requests are left at once, and in how many seconds all are", schema: { type: "string" } },
  "RateLimit-Policy": {
    description: "How many requests one instance of the service takes at once, and in how many seconds",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds after which to ask again", schema: { type: "integer", minimum: 1 } },
  "x-request-id": { description: "The id of the request, for support", schema: { type: "string", format: "uuid" } },
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

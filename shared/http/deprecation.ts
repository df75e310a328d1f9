/** `datetime_from`, `datetime_to`, and `country` of data availability were deprecated before the first release, so any date before it works. Seconds since 1970. */
const SINCE = Date.UTC(2026, 0, 1) / 1000;

/** Returns the `deprecation` header for a request that used a deprecated parameter. Source: RFC 9745, section 2. */
export function deprecation({ deprecated }: { readonly deprecated: boolean }): Record<string, string> {
  return deprecated ? { deprecation: `@${SINCE}` } : {};
}

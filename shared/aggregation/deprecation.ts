/** `datetime_from` and `datetime_to` were deprecated before the first release: any date before it says so. Seconds since 1970. */
const SINCE = Date.UTC(2026, 0, 1) / 1000;

/** The header that tells of deprecated parameters in a request. Source: RFC 9745, section 2. */
export function deprecation(request: object): Record<string, string> {
  return "deprecated" in request && request.deprecated === true ? { deprecation: `@${SINCE}` } : {};
}

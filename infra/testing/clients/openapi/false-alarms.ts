/** A refusal of a request that its schema allows, which schemathesis reports and which is right. */
interface FalseAlarm {
  /** The text of the refusal's `detail`. */
  readonly detail: RegExp;
  readonly reason: string;
}

/** Everything that schemathesis may report: what a schema cannot say. Anything else is a failure. */
export const falseAlarms: readonly FalseAlarm[] = [
  { detail: /is the deprecated alias of \w+: give one of the two/, reason: "two parameters of a query exclude each other" },
  { detail: /^cursor must be (?:a|the) next_cursor/, reason: "cursors come from pages; only their characters are known" },
  { detail: /^bbox /, reason: "ranges and order of the four numbers are beyond a pattern" },
  { detail: /ring \d+: |polygon|must be a WKT/i, reason: "the rules of polygons are geometry" },
  { detail: /must be ids of \w+ in \w+; these are not/, reason: "which ids exist is data" },
  { detail: /must (?:be after|not be before) start_time/, reason: "the order of two fields" },
  { detail: /is required/, reason: "a query's parameters depend on its agg_type, an update on the map's present type" },
  { detail: /is not a known field|is allowed only with/, reason: "a query's parameters depend on its agg_type" },
  {
    detail: /must be (?:one of|the same as) .* in [A-Z]{3}|is not offered for|must be one of .* for \w+ in/,
    reason: "what a country offers is data",
  },
  { detail: /^expiresAt must be/, reason: "which times lie ahead depends on the clock" },
  { detail: /must be a time in ISO 8601/, reason: "29 February of a year without one" },
  { detail: /at least one field|cannot be changed|must be unchanged/, reason: "an update depends on the map that it changes" },
];

import * as v from "valibot";
import { GEO_TYPES } from "../domain/country-rules.ts";
import { parseInstant } from "../domain/time-window.ts";

/** How many ids a request may name, by method. */
const GEO_IDS_MAX = { get: 500, post: 10_000 } as const;

/** An instant of a request: ISO 8601 with an offset or `Z`, a bare date is midnight UTC. */
export const Instant = v.pipe(
  v.string("must be a time in ISO 8601, for example 2026-11-01T00:00:00Z"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = parseInstant(dataset.value);
    if (instant) return instant;
    addIssue({
      message: "must be a time in ISO 8601 with an offset or Z, for example 2026-11-01T00:00:00Z, or a date",
    });
    return NEVER;
  }),
);

const GeoId = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))],
    "must be a geography id: a whole number, or its digits as a string",
  ),
  v.safeInteger("must be a whole number below 2^53"),
  v.minValue(0, "must not be negative"),
);

/** Ids of a POST: numbers or strings of digits, at least one; duplicates count once. */
export const GeoIds = v.pipe(
  v.array(GeoId, "must be an array of geography ids"),
  v.minLength(1, "must hold at least one id; leave it out to ask for every geography of the type"),
  v.maxLength(GEO_IDS_MAX.post, `must hold at most ${GEO_IDS_MAX.post.toLocaleString("en")} ids`),
  v.transform((ids) => [...new Set(ids)]),
);

export const GeoTypeName = v.picklist(GEO_TYPES);
export const ActivityType = v.picklist(["hourly", "daily"]);
export type ActivityType = v.InferOutput<typeof ActivityType>;

/** `full` as the specification's examples send it: a boolean or its text. */
export const Full = v.pipe(
  v.union([v.boolean(), v.picklist(["true", "false"])], "must be true or false"),
  v.transform((full) => full === true || full === "true"),
);

export const Format = v.picklist(["csv", "parquet", "json"]);
export type Format = v.InferOutput<typeof Format>;

/** The code of a country or an alias; which ones exist is data, so it is checked against the country table later. */
export const CountryCode = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z]{2,3}$/, "must be a country code of two or three letters, for example NOR"),
);

/** Every time in a response. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp(), v.metadata({ format: "date-time" }));

/** The name of one of the customer's jobs. */
export const JobId = v.pipe(v.string(), v.uuid());

/** For the check of a window's order; where it fails it is reported at `end_time`. */
export function startsBeforeEnd(window: { readonly start_time: Date; readonly end_time: Date }): boolean {
  return window.start_time < window.end_time;
}
export const WINDOW_ORDER = "must be after start_time";

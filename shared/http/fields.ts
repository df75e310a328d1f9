import * as v from "valibot";
import { INSTANT_PATTERN, isWrittenAsInstant, parseInstant } from "../runtime/time.ts";

/** A whole number from 0: a count, an id or a version. */
export const WholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * Checks that a text has at most so many characters: code points, as `maxLength` of JSON Schema counts, of which valibot's counts some twice. The
 * schema has to say `maxLength` in its metadata.
 */
export function maxCharacters(most: number) {
  const isShort = (text: string) => text.length <= most || (text.length <= 2 * most && [...text].length <= most);
  // Only for an error: the locale data of Intl takes 9 ms of a cold start.
  return v.check<string, () => string>(isShort, () => `must be at most ${most.toLocaleString("en")} characters`);
}

/** What the OpenAPI documents say of a time in a request. Not `date-time`: an offset may be short, and a bare date is accepted. */
export const INSTANT_METADATA = {
  title: "Instant",
  about: "ISO 8601 with an offset or Z; a bare date is midnight UTC",
  pattern: INSTANT_PATTERN,
  examples: ["2026-11-01T00:00:00Z"],
};

/** A time in a request: ISO 8601 with an offset or `Z`. A bare date is midnight UTC. */
export const Instant = v.pipe(
  v.string("must be a time in ISO 8601, for example 2026-11-01T00:00:00Z"),
  v.metadata(INSTANT_METADATA),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = parseInstant(dataset.value);
    if (instant) return instant;
    addIssue({
      message: isWrittenAsInstant(dataset.value)
        ? "must be a time that exists, in the years 1970 to 9998"
        : "must be a time in ISO 8601 with an offset or Z, for example 2026-11-01T00:00:00Z, or a date",
    });
    return NEVER;
  }),
);

/** A time in a response. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp(), v.metadata({ format: "date-time" }));

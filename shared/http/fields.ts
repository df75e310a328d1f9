import * as v from "valibot";
import { parseInstant } from "../runtime/time.ts";

/** A time in a request: ISO 8601 with an offset or `Z`. A bare date is midnight UTC. */
export const Instant = v.pipe(
  v.string("must be a time in ISO 8601, for example 2026-11-01T00:00:00Z"),
  v.metadata({ anyOf: [{ format: "date-time" }, { format: "date" }], examples: ["2026-11-01T00:00:00Z"] }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = parseInstant(dataset.value);
    if (instant) return instant;
    addIssue({
      message: "must be a time in ISO 8601 with an offset or Z, for example 2026-11-01T00:00:00Z, or a date",
    });
    return NEVER;
  }),
);

/** A time in a response. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp(), v.metadata({ format: "date-time" }));

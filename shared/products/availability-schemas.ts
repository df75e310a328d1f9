import * as v from "valibot";
import { CountryCode } from "../countries/request-fields.ts";
import { Instant, Timestamp } from "../http/fields.ts";
import { DATASETS } from "./catalogue.ts";

/** The date part of a time as written. The offset does not matter. */
const DateOnly = v.pipe(
  v.string("must be a time in ISO 8601, for example 2026-11-01T00:00:00Z, or a date"),
  v.check((text) => v.is(Instant, text), "must be a time in ISO 8601 with an offset or Z, or a date; only its date counts"),
  v.metadata({ anyOf: [{ format: "date-time" }, { format: "date" }], examples: ["2026-11-01"] }),
  v.transform((text) => text.slice(0, 10)),
);

/** The query of `GET /data-availability`. */
export const AvailabilityQuery = v.pipe(
  v.strictObject({
    country: v.optional(CountryCode),
    dataset: v.optional(v.picklist(DATASETS)),
    start_time: v.pipe(v.optional(DateOnly), v.description("The first date, inclusive; every date when left out")),
    end_time: v.pipe(v.optional(DateOnly), v.description("The last date, inclusive; every date when left out")),
  }),
  v.forward(
    v.partialCheck(
      [["start_time"], ["end_time"]],
      ({ start_time: first, end_time: last }) => first === undefined || last === undefined || first <= last,
      "must not be before start_time",
    ),
    ["end_time"],
  ),
);

/** The current batches of a country, from the ledger. */
export const AvailabilityResponse = v.strictObject({
  results: v.array(
    v.strictObject({
      country_code: v.string(),
      dataset: v.picklist(DATASETS),
      table_name: v.string(),
      batch_date: v.pipe(v.string(), v.isoDate(), v.description("Civil day of the country")),
      total_rows: v.pipe(v.number(), v.description("Rows of the batch, including those below the threshold, which are never delivered")),
      last_modified_time: Timestamp,
    }),
  ),
});

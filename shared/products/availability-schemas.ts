import * as v from "valibot";
import { CountryCode } from "../countries/request-fields.ts";
import { INSTANT_METADATA, Instant, Timestamp, WholeNumber } from "../http/fields.ts";
import { DATASETS } from "./catalogue.ts";

/** The date part of a time as written. The offset does not matter. */
const DateOnly = v.pipe(
  v.string("must be a time in ISO 8601, for example 2026-11-01T00:00:00Z, or a date"),
  v.check((text) => v.is(Instant, text), "must be a time in ISO 8601 with an offset or Z, or a date; only its date counts"),
  v.metadata(INSTANT_METADATA),
  v.transform((text) => text.slice(0, 10)),
);

/** The query of `GET /data-availability`. */
export const AvailabilityQuery = v.pipe(
  v.strictObject({
    country_code: v.optional(CountryCode),
    country: v.pipe(v.optional(CountryCode), v.metadata({ deprecated: true, description: "Deprecated alias of country_code" })),
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
  v.forward(
    v.partialCheck(
      [["country_code"], ["country"]],
      ({ country_code, country }) => country_code === undefined || country === undefined,
      "is the deprecated alias of country_code: give one of the two",
    ),
    ["country"],
  ),
);

const Bound = v.pipe(v.string(), v.isoDate());

const PublishedType = v.pipe(
  v.strictObject({
    geo_type: v.pipe(v.string(), v.description("Of the geography, or of the origin")),
    destination_geo_type: v.pipe(v.optional(v.string()), v.description("Of the destination; only in the matrix")),
    published_rows: WholeNumber,
    withheld_people_percent: v.pipe(
      v.nullable(WholeNumber),
      v.description(
        "The share of people that no published row of the type counts, in percent. null: not told, because fewer than 50 geographies are absent or the people are few, or not known",
      ),
    ),
  }),
  v.title("PublishedType"),
);

/** The current batches of a country, from the ledger. */
export const AvailabilityResponse = v.pipe(
  v.strictObject({
    country_code: v.string(),
    first_date: v.pipe(v.nullable(Bound), v.description("The first day that was asked for, from start_time; null for no limit")),
    last_date: v.pipe(v.nullable(Bound), v.description("The last day that was asked for, inclusive, from end_time; null for no limit")),
    results: v.array(
      v.pipe(
        v.strictObject({
          country_code: v.string(),
          dataset: v.picklist(DATASETS),
          table_name: v.string(),
          batch_date: v.pipe(v.string(), v.isoDate(), v.description("Civil day of the country")),
          total_rows: v.pipe(WholeNumber, v.description("Published rows of the batch, of all geography types")),
          geo_types: v.pipe(v.array(PublishedType), v.description("What is published of each geography type, or pair of types")),
          last_modified_time: Timestamp,
        }),
        v.title("AvailableBatch"),
      ),
    ),
  }),
  v.title("DataAvailability"),
);

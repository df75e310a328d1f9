import * as v from "valibot";
import { isFolderSafe } from "../aggregation/export-path.ts";
import {
  ActivityType,
  CountryCode,
  Format,
  Full,
  GeoIds,
  GeoTypeName,
  Instant,
  startsBeforeEnd,
  WINDOW_ORDER,
} from "../countries/request-fields.ts";

/** The body of an Origin-Destination Matrix job. `measure` only names the export's folder. */
export const OdmBody = v.pipe(
  v.strictObject({
    agg_type: v.literal("odm"),
    country_code: v.optional(CountryCode),
    measure: v.pipe(
      v.string(),
      v.check(
        isFolderSafe,
        "must be 1 to 64 lower-case letters, digits and underscores, beginning with a letter: it names the export folder",
      ),
      v.metadata({
        pattern: "^[a-z][a-z0-9_]{0,63}$",
        description: "Names the folder of the export and nothing else: the matrix counts trips",
      }),
    ),
    activity_type: v.optional(ActivityType, "daily"),
    origin_geo_type: GeoTypeName,
    destination_geo_type: GeoTypeName,
    origin_geo_ids: v.optional(GeoIds),
    destination_geo_ids: v.optional(GeoIds),
    start_time: Instant,
    end_time: Instant,
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
);
export type OdmBody = v.InferOutput<typeof OdmBody>;

/** One row of the matrix: a pair and a day. Distance and speed are absent where they are not known. */
export const OdmRow = v.strictObject({
  batch_date: v.pipe(v.string(), v.isoDate()),
  origin_geo_id: v.number(),
  destination_geo_id: v.number(),
  General_Distance: v.optional(v.pipe(v.number(), v.description("Straight line, metres"))),
  Average_Speed: v.optional(v.pipe(v.number(), v.description("km/h"))),
  trips: v.number(),
});

/** A row as the warehouse gives it and a preview keeps it: what is not known is null there, and absent in a response. */
export const StoredOdmRow = v.pipe(
  v.strictObject({
    ...OdmRow.entries,
    General_Distance: v.optional(v.nullable(v.number())),
    Average_Speed: v.optional(v.nullable(v.number())),
  }),
  v.transform(({ General_Distance: distance, Average_Speed: speed, trips, ...pair }) => ({
    ...pair,
    ...(distance == null ? {} : { General_Distance: distance }),
    ...(speed == null ? {} : { Average_Speed: speed }),
    trips,
  })),
);

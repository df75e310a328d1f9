import * as v from "valibot";
import { isFolderSafe } from "../domain/export-path.ts";
import { ActivityType, CountryCode, Format, Full, GeoIds, GeoTypeName, Instant, startsBeforeEnd, WINDOW_ORDER } from "./fields.ts";

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

/** One row of the matrix: a pair and a day. Distance and speed are absent where the country does not model them. */
export const OdmRow = v.strictObject({
  batch_date: v.pipe(v.string(), v.isoDate()),
  origin_geo_id: v.number(),
  destination_geo_id: v.number(),
  General_Distance: v.optional(v.nullable(v.number())),
  Average_Speed: v.optional(v.nullable(v.number())),
  trips: v.number(),
});

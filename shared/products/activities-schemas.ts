import * as v from "valibot";
import {
  ActivityType,
  CountryCode,
  Format,
  Full,
  GeoIds,
  GeoIdsQuery,
  GeoTypeName,
  Instant,
  startsBeforeEnd,
  Timestamp,
  WINDOW_ORDER,
} from "../countries/request-fields.ts";

/** What Activities can count. `avg_` and `max_unique_people` of a day are over its published hours. */
export const ACTIVITY_MEASURES = [
  "sum_unique_people",
  "avg_unique_people",
  "max_unique_people",
  "stays_count",
  "stays_dwell_minutes",
  "stays_devices",
] as const;
export type ActivityMeasure = (typeof ACTIVITY_MEASURES)[number];

const Common = {
  agg_type: v.literal("activities"),
  country_code: v.optional(CountryCode),
  measure: v.picklist(ACTIVITY_MEASURES),
  activity_type: ActivityType,
  geo_type: GeoTypeName,
  start_time: Instant,
  end_time: Instant,
};

/** The query of the Activities preview. */
export const ActivitiesQuery = v.pipe(
  v.strictObject({ ...Common, geo_ids: GeoIdsQuery }),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
);

/** The body of an Activities job. */
export const ActivitiesBody = v.pipe(
  v.strictObject({
    ...Common,
    geo_ids: v.optional(GeoIds),
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
);
export type ActivitiesBody = v.InferOutput<typeof ActivitiesBody>;

/** One row of Activities; the measure is a field of its own name. */
export const ActivitiesRow = v.objectWithRest(
  {
    time_bucket: Timestamp,
    geo_id: v.number(),
    geo_name: v.string(),
    type: ActivityType,
  },
  v.number(),
);

import * as v from "valibot";
import { DataVersion, ExportFile, ResultMeta } from "../aggregation/schemas.ts";
import { ActivityType, Format, GeoTypeName } from "../countries/request-fields.ts";
import { ACTIVITY_MEASURES } from "../products/activities-schemas.ts";
import { JOB_STATUSES } from "./job-state.ts";

/** A product request as it is stored and as the statements take it: the country resolved, times as ISO text, null for "every geography". */
const Common = {
  country_code: v.string(),
  activity_type: ActivityType,
  start_time: v.string(),
  end_time: v.string(),
  full: v.boolean(),
  format: Format,
};

export const ActivitiesRequest = v.object({
  ...Common,
  agg_type: v.literal("activities"),
  measure: v.picklist(ACTIVITY_MEASURES),
  geo_type: GeoTypeName,
  geo_ids: v.nullable(v.array(v.number())),
});
export type ActivitiesRequest = v.InferOutput<typeof ActivitiesRequest>;

export const OdmRequest = v.object({
  ...Common,
  agg_type: v.literal("odm"),
  measure: v.string(),
  origin_geo_type: GeoTypeName,
  destination_geo_type: GeoTypeName,
  origin_geo_ids: v.nullable(v.array(v.number())),
  destination_geo_ids: v.nullable(v.array(v.number())),
});
export type OdmRequest = v.InferOutput<typeof OdmRequest>;

/** The road link that a coordinate stands for: looked up once, when the request is accepted. */
const RoadLink = v.object({
  link_id: v.number(),
  link_name: v.string(),
  link_type: v.string(),
  distance_m: v.number(),
});

export const FlowRequest = v.object({
  ...Common,
  agg_type: v.literal("flow"),
  measure: v.literal("people"),
  activity_type: v.literal("hourly"),
  lat: v.number(),
  lon: v.number(),
  link: RoadLink,
});
export type FlowRequest = v.InferOutput<typeof FlowRequest>;

export const AggregationRequest = v.variant("agg_type", [ActivitiesRequest, OdmRequest, FlowRequest]);
export type AggregationRequest = v.InferOutput<typeof AggregationRequest>;

/** What a completed job has to give. The preview is text: Firestore would refuse none of it, but a text has no index and no depth. */
export const JobResult = v.object({
  meta: ResultMeta,
  totalRows: v.number(),
  dataVersions: v.array(DataVersion),
  preview: v.nullable(v.string()),
  files: v.nullable(v.array(ExportFile)),
});
export type JobResult = v.InferOutput<typeof JobResult>;

export const JobFields = {
  uid: v.string(),
  keyLabel: v.string(),
  status: v.picklist(JOB_STATUSES),
  request: AggregationRequest,
  result: v.nullable(JobResult),
};

import * as v from "valibot";
import { Timestamp } from "../countries/request-fields.ts";
import { ActivitiesQuery, ActivitiesRow } from "../products/activities-schemas.ts";
import { FlowQuery, FlowRow } from "../products/flow-schemas.ts";
import { DataVersions, ResultMeta } from "./schemas.ts";

/** The query of `GET /data-agg`. The matrix of a day has millions of rows: it is made by a job only. */
export const PreviewQuery = v.variant("agg_type", [ActivitiesQuery, FlowQuery], ({ expected, received }) =>
  received === '"odm"'
    ? "odm has no synchronous preview: submit it as a job with POST /data-agg"
    : `Invalid type: Expected ${expected} but received ${received}`,
);
export type PreviewQuery = v.InferOutput<typeof PreviewQuery>;

const Truncated = v.pipe(v.boolean(), v.description("Whether the window is longer than the 24 hours from its start that are shown"));

export const ActivitiesPreview = v.strictObject({
  agg_type: v.literal("activities"),
  country_code: v.string(),
  start_time: Timestamp,
  end_time: Timestamp,
  truncated: Truncated,
  results: v.array(ActivitiesRow),
  meta: ResultMeta,
  data_versions: DataVersions,
});

export const FlowPreview = v.strictObject({
  agg_type: v.literal("flow"),
  country_code: v.string(),
  lat: v.number(),
  lon: v.number(),
  start_time: Timestamp,
  end_time: Timestamp,
  truncated: Truncated,
  results: v.array(FlowRow),
  meta: ResultMeta,
  data_versions: DataVersions,
});

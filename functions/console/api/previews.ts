import * as v from "valibot";
import { addressOf, call } from "./client.ts";
import { Geometry } from "./geometry.ts";

/** The query of a preview. */
export type PreviewQuery = Readonly<Record<string, string | number | undefined>>;

const Common = {
  truncated: v.boolean(),
  meta: v.object({ k: v.number() }),
  data_versions: v.array(v.object({ batch_date: v.string(), version: v.number() })),
  warnings: v.array(v.object({ code: v.string(), detail: v.string() })),
};

/** What every preview says about its data. */
export type PreviewSource = v.InferOutput<v.ObjectSchema<typeof Common, undefined>>;

const Columns = v.object({
  ...Common,
  geo_ids: v.array(v.number()),
  time_buckets: v.array(v.string()),
  values: v.array(v.array(v.nullable(v.number()))),
});
const Odm = v.object({
  ...Common,
  results: v.array(v.object({ origin_geo_id: v.number(), destination_geo_id: v.number(), trips: v.number() })),
});
const Flow = v.object({
  ...Common,
  link: v.object({ link_id: v.number(), link_name: v.string(), geometry: Geometry }),
  results: v.array(
    v.object({
      link_type: v.string(),
      distance_m: v.number(),
      time_bucket: v.nullable(v.string()),
      direction: v.nullable(v.number()),
      people: v.nullable(v.number()),
    }),
  ),
});

/** A day of Activities: values by time bucket and geography. null: withheld, or nobody, or no data. */
export type ActivityColumns = v.InferOutput<typeof Columns>;
export type OdmRows = v.InferOutput<typeof Odm>;
export type FlowRows = v.InferOutput<typeof Flow>;

export function fetchActivities(query: PreviewQuery, signal: AbortSignal): Promise<ActivityColumns> {
  return call("data", "/data-agg", Columns, { query, signal });
}

export function fetchOdm(query: PreviewQuery, signal: AbortSignal): Promise<OdmRows> {
  return call("data", "/data-agg", Odm, { query, signal });
}

export function fetchFlow(query: PreviewQuery, signal: AbortSignal): Promise<FlowRows> {
  return call("data", "/data-agg", Flow, { query, signal });
}

/** The address of a preview, for "as code". */
export function previewAddress(query: PreviewQuery): Promise<string> {
  return addressOf("data", "/data-agg", query);
}

import * as v from "valibot";
import { MapId } from "../maps/schemas.ts";
import { RESULTS } from "./headcount.ts";

export const ToggleBody = v.strictObject({ map_id: MapId, enable: v.boolean() });

export const ToggleResponse = v.strictObject({
  msg: v.string(),
  map_id: v.string(),
  is_monitored: v.boolean(),
  bq_updated_rows: v.number(),
});

export const RealtimeDataResponse = v.strictObject({
  rows: v.array(
    v.strictObject({
      timestamp: v.string(),
      target_id: v.string(),
      target_name: v.string(),
      result: v.picklist(RESULTS),
      subscriber_count: v.number(),
    }),
  ),
});

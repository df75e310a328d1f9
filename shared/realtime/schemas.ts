import * as v from "valibot";
import { Timestamp, WholeNumber } from "../http/fields.ts";
import { MapId } from "../maps/schemas.ts";
import { RESULTS } from "./headcount.ts";

export const ToggleBody = v.pipe(v.strictObject({ map_id: MapId, enable: v.boolean() }), v.title("ToggleMonitoring"));

export const ToggleResponse = v.pipe(
  v.strictObject({
    msg: v.string(),
    map_id: v.string(),
    is_monitored: v.boolean(),
    bq_updated_rows: WholeNumber,
  }),
  v.title("MonitoringToggled"),
);

export const RealtimeDataResponse = v.pipe(
  v.strictObject({
    rows: v.array(
      v.pipe(
        v.strictObject({
          timestamp: Timestamp,
          target_id: v.string(),
          target_name: v.string(),
          result: v.picklist(RESULTS),
          subscriber_count: WholeNumber,
        }),
        v.title("Headcount"),
      ),
    ),
  }),
  v.title("Headcounts"),
);

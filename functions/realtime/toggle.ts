import { defineEndpoint, nothing, reply } from "../../shared/http/define-endpoint.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { checkMonitorable, finishNow } from "../../shared/realtime/deliver-map-change.ts";
import { finisherOf, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { ToggleBody, ToggleResponse } from "../../shared/realtime/schemas.ts";

export default defineEndpoint({
  file: "realtime/toggle",
  api: "data",
  method: "POST",
  path: "/admin/realtime",
  summary: "Switch the monitoring of a map on or off",
  auth: { scope: "realtime" },
  params: nothing,
  query: nothing,
  body: ToggleBody,
  responses: { 200: ToggleResponse },
  uses: openMonitoring,
  handler: async ({ body, caller }, monitoring, { now, log, beside }) => {
    const { map_id: id, enable } = body;
    const { maps } = monitoring;
    const finisher = finisherOf(monitoring, now);
    const known = await maps.get(id);
    if (!known || known.uid !== caller.uid) throw noSuchMap();
    if (enable && !known.isMonitored) await checkMonitorable(known, "/map_id", finisher);
    const switched = await maps.setMonitored(caller.uid, id, enable, now());
    if (!switched) throw noSuchMap();
    return reply(200, {
      msg: enable ? "Realtime monitoring enabled" : "Realtime monitoring disabled",
      map_id: id,
      is_monitored: enable,
      bq_updated_rows: switched.changed ? ((await beside(finishNow(id, finisher, log))) ?? 0) : 0,
    });
  },
});

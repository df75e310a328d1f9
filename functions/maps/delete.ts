import * as v from "valibot";
import { defineEndpoint, nothing, reply } from "../../shared/http/define-endpoint.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { DeletedMapResponse, MapId } from "../../shared/maps/schemas.ts";
import { finishNow } from "../../shared/realtime/deliver-map-change.ts";
import { finisherOf, openMonitoring } from "../../shared/realtime/monitoring.ts";

export default defineEndpoint({
  file: "maps/delete",
  api: "users",
  method: "DELETE",
  path: "/admin/maps/{id}",
  summary: "Delete a map",
  auth: {},
  params: v.strictObject({ id: MapId }),
  query: nothing,
  body: nothing,
  responses: { 200: DeletedMapResponse },
  uses: openMonitoring,
  handler: async ({ params, caller }, monitoring, { now, log, beside }) => {
    const removed = await monitoring.maps.remove(caller.uid, params.id, now());
    if (!removed) throw noSuchMap();
    if (removed.isMonitored) await beside(finishNow(removed.id, finisherOf(monitoring, now), log));
    return reply(200, { msg: "Map deleted", id: params.id });
  },
});

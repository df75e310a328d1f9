import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { DeletedMapResponse, MapId } from "../../shared/maps/schemas.ts";
import { deliverMapEnd, tryDelivery } from "../../shared/realtime/deliver-map-change.ts";
import { openMapEnds } from "../../shared/realtime/monitoring.ts";

export default defineEndpoint({
  file: "maps/delete",
  api: "users",
  method: "DELETE",
  path: "/admin/maps/{id}",
  summary: "Delete a map",
  description: "A monitored map is no longer measured, and its headcounts are gone at once.",
  auth: {},
  checksKey: "in its transaction",
  params: v.strictObject({ id: MapId }),
  query: noInput,
  body: noInput,
  responses: { 200: DeletedMapResponse },
  dependencies: openMapEnds,
  handler: async ({ params, caller, key }, { maps, ...stores }, { now, log, bestEffort }) => {
    const removed = await maps.remove(caller.uid, params.id, now(), key);
    if (!removed) throw noSuchMap();
    if (removed.isMonitored) await bestEffort(tryDelivery(removed.id, () => deliverMapEnd(removed.id, { ...stores, now }), log));
    return reply(200, { msg: "Map deleted", id: params.id });
  },
});

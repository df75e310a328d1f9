import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { requireConditions } from "../../shared/maps/precondition.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { DeletedMapResponse, MapIdInPath } from "../../shared/maps/schemas.ts";
import { deliverMapEnd, tryDelivery } from "../../shared/realtime/deliver-map-change.ts";
import { openMapEnds } from "../../shared/realtime/monitoring.ts";

export default defineEndpoint({
  file: "maps/delete",
  api: "users",
  method: "DELETE",
  path: "/admin/maps/{id}",
  summary: "Delete a map",
  description:
    "A monitored map is no longer measured, and its headcounts are gone at once. With `If-Match`, a map that has changed since is a 412.",
  auth: {},
  checksKey: "in its transaction",
  params: v.strictObject({ id: MapIdInPath }),
  query: noInput,
  body: noInput,
  requestHeaders: ["If-Match", "If-None-Match"],
  responses: { 200: DeletedMapResponse },
  dependencies: openMapEnds,
  handler: async ({ params, caller, key }, { maps, ...stores }, { header, now, log, bestEffort }) => {
    const conditions = { ifMatch: header("if-match"), ifNoneMatch: header("if-none-match") };
    const removed = await maps.remove({
      ...{ uid: caller.uid, id: params.id, actor: key, now: now() },
      check: (map) => requireConditions(conditions, map),
    });
    if (!removed) throw noSuchMap();
    if (removed.isMonitored) await bestEffort(tryDelivery(removed.id, () => deliverMapEnd(removed.id, { ...stores, now }), log));
    return reply(200, { msg: "Map deleted", id: params.id });
  },
});

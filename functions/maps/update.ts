import * as v from "valibot";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openMeasurementsTopic } from "../../shared/google/pubsub.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { isSameShape } from "../../shared/maps/cell-budget.ts";
import { changeMap } from "../../shared/maps/change-map.ts";
import { checkGeographies } from "../../shared/maps/check-geographies.ts";
import { checkGeometry, geometryFaults } from "../../shared/maps/check-geometry.ts";
import { checkPlace } from "../../shared/maps/check-place.ts";
import { checkForeignCoverage } from "../../shared/maps/foreign-coverage.ts";
import { requireConditions } from "../../shared/maps/precondition.ts";
import { entityTag, limitReached, mapResponse, noSuchMap } from "../../shared/maps/respond.ts";
import { MapIdInPath, SavedMapResponse, UpdateMapBody } from "../../shared/maps/schemas.ts";
import { countShape, tryDeliverMapChange } from "../../shared/realtime/deliver-map-change.ts";
import { requestMeasurement } from "../../shared/realtime/measure-map.ts";
import { mapChangeContext, openMonitoring } from "../../shared/realtime/monitoring.ts";

export default defineEndpoint({
  file: "maps/update",
  api: "users",
  method: "PUT",
  path: "/admin/maps/{id}",
  summary: "Change a map: only the fields that are sent",
  description:
    "A monitored map is measured at once as it is now, and then every five minutes. With `If-Match`, a map that has changed since is a 412.",
  auth: {},
  checksKey: "in its transaction",
  params: v.strictObject({ id: MapIdInPath }),
  query: noInput,
  body: UpdateMapBody,
  faults: async (request) => [...unknownCountries(request, countries()), ...(await geometryFaults(request))],
  requestHeaders: ["If-Match", "If-None-Match"],
  responses: { 200: SavedMapResponse },
  refusals: ["conflict"],
  responseHeaders: { 200: ["ETag"] },
  dependencies: (config, now) => ({
    ...openMonitoring(config),
    measurements: openMeasurementsTopic(config),
    warehouse: openInteractiveWarehouse(config, now),
  }),
  handler: async ({ params, body, caller, key }, { measurements, warehouse, ...monitoring }, { header, now, log, bestEffort }) => {
    const { maps } = monitoring;
    const context = mapChangeContext(monitoring, countries(), now);
    const polygon = body.geometry === undefined ? undefined : await checkGeometry(body.geometry);
    const known = await maps.get(params.id);
    if (!known || known.uid !== caller.uid) throw noSuchMap();
    const change = changeMap(known, body, caller, countries());
    if (polygon) {
      checkPlace(polygon, caller, countries(), "/geometry");
      await checkForeignCoverage(polygon, caller, { ...context, warehouse });
    }
    if (change.ids && (body.ids || body.type || body.country_code))
      await checkGeographies(change.countryCode ?? "", change.type, change.ids, warehouse, caller.uid);
    const isReshaped = known.isMonitored && !isSameShape(known, change);
    const counted = isReshaped ? await countShape(caller.uid, change, "/geometry", { ...context, warehouse }) : undefined;
    const changedAt = now();
    const conditions = { ifMatch: header("if-match"), ifNoneMatch: header("if-none-match") };
    const saved = await maps.update({ uid: caller.uid, id: params.id, actor: key, now: changedAt, counted }, (map) => {
      requireConditions(conditions, map);
      // Another request changed the map since the check: this change is applied on top of that one.
      return map.version === known.version ? change : changeMap(map, body, caller, countries());
    });
    if (saved === undefined) throw noSuchMap();
    if ("limit" in saved) throw limitReached(saved);
    const delivered = saved.isMonitored ? await bestEffort(tryDeliverMapChange(saved.id, context, log)) : 0;
    if (delivered) await bestEffort(requestMeasurement(measurements, saved, changedAt, log));
    return reply(200, { msg: "Map updated", ...mapResponse(saved) }, { etag: entityTag(saved) });
  },
});

import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { allowedCountry } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openMeasurementsTopic } from "../../shared/google/pubsub.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import type { CountedShape } from "../../shared/maps/cell-budget.ts";
import { storedPolygon } from "../../shared/maps/check-geometry.ts";
import { checkPlace } from "../../shared/maps/check-place.ts";
import { checkForeignCoverage } from "../../shared/maps/foreign-coverage.ts";
import { limitReached, noSuchMap } from "../../shared/maps/respond.ts";
import { countShape, tryDeliverMapChange } from "../../shared/realtime/deliver-map-change.ts";
import { requestMeasurement } from "../../shared/realtime/measure-map.ts";
import { mapChangeContext, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { ToggleBody, ToggleResponse } from "../../shared/realtime/schemas.ts";

export default defineEndpoint({
  file: "realtime/toggle",
  api: "data",
  method: "POST",
  path: "/admin/realtime",
  summary: "Enable or disable the monitoring of a map",
  description: "A map that is monitored is measured at once, from the newest measurement, and then every five minutes.",
  auth: { scope: "realtime" },
  checksKey: "in its transaction",
  params: noInput,
  query: noInput,
  body: ToggleBody,
  responses: { 200: ToggleResponse },
  refusals: ["not_found", "conflict"],
  dependencies: (config, now) => ({
    ...openMonitoring(config),
    measurements: openMeasurementsTopic(config),
    warehouse: openInteractiveWarehouse(config, now),
  }),
  handler: async ({ body, caller, key }, { measurements, warehouse, ...monitoring }, { now, log, bestEffort }) => {
    const { map_id: id, enable } = body;
    const { maps } = monitoring;
    const context = mapChangeContext(monitoring, countries(), now);
    const known = await maps.get(id);
    if (!known || known.uid !== caller.uid) throw noSuchMap();
    let counted: CountedShape | undefined;
    if (enable && !known.isMonitored) {
      if (known.geometry !== null) {
        const polygon = await storedPolygon(known.geometry);
        checkPlace(polygon, caller, countries(), "/map_id");
        await checkForeignCoverage(polygon, caller, { ...context, warehouse });
      } else allowedCountry(known.countryCode ?? undefined, caller, countries(), "/map_id");
      counted = await countShape(caller.uid, known, "/map_id", { ...context, warehouse });
    }
    const changedAt = now();
    const switched = await maps.setMonitored({ uid: caller.uid, id, isMonitored: enable, actor: key, now: changedAt, counted });
    if (!switched) throw noSuchMap();
    if ("limit" in switched) throw limitReached(switched);
    const delivered = switched.changed ? await bestEffort(tryDeliverMapChange(id, context, log)) : 0;
    if (enable && delivered) await bestEffort(requestMeasurement(measurements, switched.map, changedAt, log));
    return reply(200, {
      msg: enable ? "Realtime monitoring enabled" : "Realtime monitoring disabled",
      map_id: id,
      is_monitored: enable,
      bq_updated_rows: delivered ?? 0,
    });
  },
});

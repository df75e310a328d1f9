import { allowedCountry } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { checkPlace } from "../../shared/maps/check-place.ts";
import { checkForeignCoverage } from "../../shared/maps/foreign-coverage.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { checkMonitorable, tryDeliverMapChange } from "../../shared/realtime/deliver-map-change.ts";
import { mapChangeContext, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { ToggleBody, ToggleResponse } from "../../shared/realtime/schemas.ts";

export default defineEndpoint({
  file: "realtime/toggle",
  api: "data",
  method: "POST",
  path: "/admin/realtime",
  summary: "Enable or disable the monitoring of a map",
  description: "A map that is monitored is measured every five minutes, from the next tick.",
  auth: { scope: "realtime" },
  params: noInput,
  query: noInput,
  body: ToggleBody,
  responses: { 200: ToggleResponse },
  dependencies: (config) => ({ ...openMonitoring(config), warehouse: openWarehouse(config) }),
  handler: async ({ body, caller }, { warehouse, ...monitoring }, { now, log, bestEffort }) => {
    const { map_id: id, enable } = body;
    const { maps } = monitoring;
    const context = mapChangeContext(monitoring, countries(), now);
    const known = await maps.get(id);
    if (!known || known.uid !== caller.uid) throw noSuchMap();
    if (enable && !known.isMonitored) {
      if (known.geometry !== null) {
        checkPlace(known.geometry, caller, countries(), "/map_id");
        await checkForeignCoverage(known.geometry, caller, { ...context, warehouse });
      } else allowedCountry(known.countryCode ?? undefined, caller, countries(), "/map_id");
      await checkMonitorable(known, "/map_id", context);
    }
    const switched = await maps.setMonitored(caller.uid, id, enable, now());
    if (!switched) throw noSuchMap();
    return reply(200, {
      msg: enable ? "Realtime monitoring enabled" : "Realtime monitoring disabled",
      map_id: id,
      is_monitored: enable,
      bq_updated_rows: switched.changed ? ((await bestEffort(tryDeliverMapChange(id, context, log))) ?? 0) : 0,
    });
  },
});

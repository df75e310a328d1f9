import { openCustomerCountries } from "../../shared/accounts/customers.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { allowedCountry, unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { checkGeographies } from "../../shared/maps/check-geographies.ts";
import { checkGeometry, geometryFaults } from "../../shared/maps/check-geometry.ts";
import { checkPlace } from "../../shared/maps/check-place.ts";
import { checkForeignCoverage } from "../../shared/maps/foreign-coverage.ts";
import { openMaps } from "../../shared/maps/maps.ts";
import { entityTag, limitReached, mapResponse } from "../../shared/maps/respond.ts";
import { CreateMapBody, SavedMapResponse } from "../../shared/maps/schemas.ts";
import { snapshotRows } from "../../shared/realtime/snapshots.ts";

export default defineEndpoint({
  file: "maps/create",
  api: "users",
  method: "POST",
  path: "/admin/maps",
  summary: "Create a map: a polygon, or a list of standard geographies",
  description:
    "A polygon (`custom_polygon`) has a `geometry` in WKT, longitude first. A standard map has the `ids` of geographies of its type.",
  auth: {},
  checksKey: "in its transaction",
  params: noInput,
  query: noInput,
  body: CreateMapBody,
  faults: async (request) => [...unknownCountries(request, countries()), ...(await geometryFaults(request))],
  responses: { 201: SavedMapResponse },
  responseHeaders: { 201: ["ETag"] },
  dependencies: (config, now) => ({
    maps: openMaps(config, snapshotRows),
    countriesOf: openCustomerCountries(config),
    warehouse: openInteractiveWarehouse(config, now),
  }),
  handler: async ({ body, caller, key }, { maps, countriesOf, warehouse }, { now }) => {
    const { name, description, type } = body;
    const { uid, keyLabel } = caller;
    const shape =
      body.type === "custom_polygon"
        ? { geometry: body.geometry, ids: null, countryCode: null }
        : { geometry: null, ids: body.ids, countryCode: allowedCountry(body.country_code, caller, countries())[0] };
    if (shape.ids === null) {
      const polygon = await checkGeometry(shape.geometry);
      checkPlace(polygon, caller, countries(), "/geometry");
      await checkForeignCoverage(polygon, caller, { warehouse, countriesOf, countries: countries() });
    } else await checkGeographies(shape.countryCode, type, shape.ids, warehouse, caller.uid);
    const owner = `${keyLabel}@${uid}`;
    const map = { uid, owner, name, description, type, ...shape, isMonitored: false, version: 1, createdAt: now(), measuredIn: [] };
    const saved = await maps.create(map, key);
    if ("limit" in saved) throw limitReached(saved);
    return reply(201, { msg: "Map saved", ...mapResponse(saved) }, { etag: entityTag(saved) });
  },
});

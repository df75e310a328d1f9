import { openCustomerCountries } from "../../shared/accounts/customers.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { allowedCountry, unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { checkGeographies } from "../../shared/maps/check-geographies.ts";
import { checkPolygon, errorsOf } from "../../shared/maps/check-map.ts";
import { CheckedMapResponse, CheckMapBody } from "../../shared/maps/schemas.ts";

export default defineEndpoint({
  file: "maps/check",
  api: "users",
  method: "POST",
  path: "/admin/maps/check",
  summary: "Check a map before it is saved: its area, its cells, its countries and its faults. Nothing is stored",
  description: "Takes the body of a new map; its name may be missing. A polygon may be any text: each fault names its ring and its point.",
  auth: {},
  params: noInput,
  query: noInput,
  body: CheckMapBody,
  faults: (request) => unknownCountries(request, countries()),
  responses: { 200: CheckedMapResponse },
  dependencies: (config, now) => ({ countriesOf: openCustomerCountries(config), warehouse: openInteractiveWarehouse(config, now) }),
  handler: async ({ body, caller }, { countriesOf, warehouse }) => {
    if (body.type === "custom_polygon")
      return reply(200, await checkPolygon(body.geometry, caller, { warehouse, countriesOf, countries: countries() }));
    const [country] = allowedCountry(body.country_code, caller, countries());
    const errors = await errorsOf(() => checkGeographies(country, body.type, body.ids, warehouse, caller.uid));
    return reply(200, { area_km2: null, cells: null, countries: [country], errors });
  },
});

import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { allowedCountry, unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { deprecation } from "../../shared/http/deprecation.ts";
import { availabilityStatement } from "../../shared/products/availability.ts";
import { AvailabilityQuery, AvailabilityResponse } from "../../shared/products/availability-schemas.ts";
import { DATASET_OF_TABLE } from "../../shared/products/catalogue.ts";

export default defineEndpoint({
  file: "availability/list",
  api: "data",
  method: "GET",
  path: "/data-availability",
  summary: "List the days available in each dataset, and when they were loaded",
  description:
    "Dates are civil days of the country. `start_time` and `end_time` are both inclusive here, and only their dates count: the answer repeats them as `first_date` and `last_date`.",
  auth: {},
  params: noInput,
  query: AvailabilityQuery,
  body: noInput,
  faults: (request) => unknownCountries(request, countries()),
  responses: { 200: AvailabilityResponse },
  responseHeaders: { 200: ["Deprecation"] },
  opensEarly: true,
  dependencies: (config, now) => ({ warehouse: openInteractiveWarehouse(config, now) }),
  handler: async ({ query, caller }, { warehouse }) => {
    const { country_code, country: alias, start_time: first, end_time: last } = query;
    const [country] = allowedCountry(country_code ?? alias, caller, countries(), alias === undefined ? "/country_code" : "/country");
    const tables = [...DATASET_OF_TABLE].flatMap(([table, dataset]) =>
      query.dataset === undefined || dataset === query.dataset ? [table] : [],
    );
    const filters = { country, tables, first, last };
    const found = await warehouse.query(availabilityStatement(filters), { customer: caller.uid, purpose: "availability" });
    const results = found.map(({ country_code, table_name, batch_date, published_rows, loaded_at, geo_types }) => ({
      country_code,
      dataset: DATASET_OF_TABLE.get(table_name) ?? "",
      table_name,
      batch_date,
      total_rows: published_rows,
      geo_types: geo_types.map(({ destination_geo_type: destination, ...type }) =>
        destination === null ? type : { ...type, destination_geo_type: destination },
      ),
      last_modified_time: loaded_at,
    }));
    const answer = { country_code: country, first_date: first ?? null, last_date: last ?? null, results };
    return reply(200, answer, deprecation({ deprecated: alias !== undefined }));
  },
});

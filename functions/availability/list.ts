import { allowedCountry, unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { availabilityStatement } from "../../shared/products/availability.ts";
import { AvailabilityQuery, AvailabilityResponse } from "../../shared/products/availability-schemas.ts";
import { DATASET_OF_TABLE } from "../../shared/products/catalogue.ts";

export default defineEndpoint({
  file: "availability/list",
  api: "data",
  method: "GET",
  path: "/data-availability",
  summary: "List the days available in each dataset, and when they were loaded",
  auth: {},
  params: noInput,
  query: AvailabilityQuery,
  body: noInput,
  faults: (request) => unknownCountries(request, countries()),
  responses: { 200: AvailabilityResponse },
  dependencies: (config) => ({ warehouse: openWarehouse(config) }),
  handler: async ({ query, caller }, { warehouse }) => {
    const [country] = allowedCountry(query.country, caller, countries(), "/country");
    const tables = [...DATASET_OF_TABLE].flatMap(([table, dataset]) =>
      query.dataset === undefined || dataset === query.dataset ? [table] : [],
    );
    const filters = { country, tables, first: query.start_time, last: query.end_time };
    const found = await warehouse.query(availabilityStatement(filters), { customer: caller.uid, purpose: "availability" });
    const results = found.map(({ country_code, table_name, batch_date, row_count, loaded_at }) => ({
      country_code,
      dataset: DATASET_OF_TABLE.get(table_name) ?? "",
      table_name,
      batch_date,
      total_rows: row_count,
      last_modified_time: loaded_at,
    }));
    return reply(200, { results });
  },
});

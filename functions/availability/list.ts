import * as v from "valibot";
import { allowedCountry } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { availabilityStatement } from "../../shared/products/availability.ts";
import { AvailabilityQuery, AvailabilityResponse } from "../../shared/products/availability-schemas.ts";
import { DATASET_OF_TABLE, DATASET_TABLES } from "../../shared/products/datasets.ts";

const Rows = v.array(
  v.object({
    country_code: v.string(),
    table_name: v.picklist(DATASET_TABLES),
    batch_date: v.string(),
    row_count: v.number(),
    loaded_at: v.string(),
  }),
);

export default defineEndpoint({
  file: "availability/list",
  api: "data",
  method: "GET",
  path: "/data-availability",
  summary: "Which days of which datasets there are, and when they were loaded",
  auth: {},
  params: noInput,
  query: AvailabilityQuery,
  body: noInput,
  responses: { 200: AvailabilityResponse },
  dependencies: (config) => ({ warehouse: openWarehouse(config) }),
  handler: async ({ query, caller }, { warehouse }) => {
    const [country] = allowedCountry(query.country, caller, countries(), "/country");
    const tables = DATASET_TABLES.filter((table) => query.dataset === undefined || DATASET_OF_TABLE[table] === query.dataset);
    const filters = { country, tables, first: query.start_time, last: query.end_time };
    const found = await warehouse.query(availabilityStatement(filters), { customer: caller.uid, purpose: "availability" });
    const results = v.parse(Rows, found).map(({ country_code, table_name, batch_date, row_count, loaded_at }) => ({
      country_code,
      dataset: DATASET_OF_TABLE[table_name],
      table_name,
      batch_date,
      total_rows: row_count,
      last_modified_time: loaded_at,
    }));
    return reply(200, { results });
  },
});

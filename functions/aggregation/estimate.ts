import { acceptRequest } from "../../shared/aggregation/accept-request.ts";
import { estimateOf } from "../../shared/aggregation/estimate.ts";
import { EstimateResponse } from "../../shared/aggregation/estimate-schemas.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { deprecation } from "../../shared/http/deprecation.ts";
import { AggregationBody } from "../../shared/products/catalogue.ts";

export default defineEndpoint({
  file: "aggregation/estimate",
  api: "data",
  method: "POST",
  path: "/data-agg/estimate",
  summary: "Estimate the most that a job would read, return and cost, without storing or running it",
  description: "Takes the body of a job. The bytes come from a dry run, the rows from the number of geographies, hours and days.",
  auth: {},
  params: noInput,
  query: noInput,
  body: AggregationBody,
  faults: (request) => unknownCountries(request, countries()),
  responses: { 200: EstimateResponse },
  responseHeaders: { 200: ["Deprecation"] },
  opensEarly: true,
  dependencies: (config, now) => ({ warehouse: openInteractiveWarehouse(config, now) }),
  handler: async ({ body, caller }, { warehouse }, { now, config }) => {
    const accepted = acceptRequest(body, caller, countries(), now());
    const labels = { customer: caller.uid, purpose: "estimate", product: body.agg_type };
    return reply(200, await estimateOf(accepted, { warehouse, config, labels }), deprecation(body));
  },
});

import { acceptRequest } from "../../shared/aggregation/accept-request.ts";
import { previewOf } from "../../shared/aggregation/preview.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { deprecation } from "../../shared/http/deprecation.ts";
import { PreviewQuery, PreviewResponse } from "../../shared/products/catalogue.ts";

/** A preview may have 125,000 rows, and takes more than a KiB of memory for each. */
const AT_ONCE = 3;

export default defineEndpoint({
  file: "aggregation/preview",
  api: "data",
  method: "GET",
  path: "/data-agg",
  summary: "Preview a day of a product synchronously: Activities, the pairs of one geography, or Flow",
  description:
    "Answers at once, with at most one day of data. For longer windows, whole countries or the whole matrix, submit a job. Values below the privacy threshold are absent, not zero.",
  auth: {},
  params: noInput,
  query: PreviewQuery,
  body: noInput,
  faults: (request) => unknownCountries(request, countries()),
  // The warehouse may need this long for a day of a large country.
  secondsMax: 50,
  responses: { 200: PreviewResponse },
  refusals: ["not_found"],
  responseHeaders: { 200: ["Deprecation"] },
  atOnce: AT_ONCE,
  opensEarly: true,
  dependencies: (config, now) => ({ warehouse: openInteractiveWarehouse(config, now) }),
  handler: async ({ query, caller }, { warehouse }, { now, turn }) => {
    const labels = { customer: caller.uid, product: query.agg_type };
    const accepted = acceptRequest(query, caller, countries(), now());
    const prepared = await accepted.resolve({ query: warehouse.queryRecent }, labels);
    return reply(200, await previewOf(prepared, { warehouse, labels, turn }), deprecation(query));
  },
});

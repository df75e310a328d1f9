import type { CountryTable } from "../../countries/country-rules.ts";
import { openRequest } from "../catalogue.ts";
import type { ProductQuery } from "../product-query.ts";
import type { StoredRequest } from "../request-fields.ts";

/** Returns the query of a stored request. Throws if its country does not offer it. */
export function queryOf(request: StoredRequest, table: CountryTable): ProductQuery {
  const rules = table[request.country_code];
  const prepared = rules && openRequest(request, rules);
  if (!prepared) throw new Error(`${request.country_code} does not offer ${request.agg_type}`);
  return prepared.query();
}

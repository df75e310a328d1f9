import type { CountryRules } from "../domain/country-rules.ts";
import type { AggregationRequest } from "../schemas/job.ts";
import { activitiesQuery } from "./activities.ts";
import { odmQuery } from "./odm.ts";
import type { ProductQuery } from "./product.ts";

/** The query of a request, whichever its product. */
export function productQuery(request: AggregationRequest, rules: CountryRules): ProductQuery {
  return request.agg_type === "odm" ? odmQuery(request, rules) : activitiesQuery(request, rules);
}

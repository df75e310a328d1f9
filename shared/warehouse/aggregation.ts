import type { CountryRules } from "../domain/country-rules.ts";
import type { AggregationRequest } from "../schemas/job.ts";
import { activitiesQuery } from "./activities.ts";
import { flowQuery } from "./flow.ts";
import { odmQuery } from "./odm.ts";
import type { ProductQuery } from "./product.ts";

/** The query of a request, whichever its product. */
export function productQuery(request: AggregationRequest, rules: CountryRules): ProductQuery {
  switch (request.agg_type) {
    case "activities":
      return activitiesQuery(request, rules);
    case "odm":
      return odmQuery(request, rules);
    case "flow":
      return flowQuery(request, rules);
  }
}

import type { CountryRules } from "../countries/country-rules.ts";
import type { AggregationRequest } from "../jobs/job-fields.ts";
import { activitiesQuery } from "./activities.ts";
import { flowQuery } from "./flow.ts";
import { odmQuery } from "./odm.ts";
import type { ProductQuery } from "./statements.ts";

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

import { allowedCountry } from "../allowed-country.ts";
import { unsupportedActivities, unsupportedOdm } from "../domain/combinations.ts";
import type { CountryTable } from "../domain/country-rules.ts";
import { invalidFields } from "../errors.ts";
import type { AggregationBody } from "../schemas/aggregation.ts";
import type { Caller } from "../schemas/api-key.ts";
import type { AggregationRequest } from "../schemas/job.ts";

/**
 * The request that a body stands for: the country resolved (the customer's default when none is named) and allowed to the caller, the
 * product and geographies offered there. Throws `invalid_argument`, `permission_denied` or `unsupported_combination`.
 */
export function acceptRequest(body: AggregationBody, caller: Caller, table: CountryTable): AggregationRequest {
  const [code, rules] = allowedCountry(body.country_code, caller, table);
  const common = {
    country_code: code,
    activity_type: body.activity_type,
    start_time: body.start_time.toISOString(),
    end_time: body.end_time.toISOString(),
    full: body.full,
    format: body.format,
  };
  if (body.agg_type === "odm") {
    const { agg_type, measure, origin_geo_type, destination_geo_type } = body;
    refuse(unsupportedOdm(code, rules, origin_geo_type, destination_geo_type));
    const ids = { origin_geo_ids: body.origin_geo_ids ?? null, destination_geo_ids: body.destination_geo_ids ?? null };
    return { ...common, agg_type, measure, origin_geo_type, destination_geo_type, ...ids };
  }
  const { agg_type, measure, geo_type } = body;
  refuse(unsupportedActivities(code, rules, geo_type));
  return { ...common, agg_type, measure, geo_type, geo_ids: body.geo_ids ?? null };
}

function refuse(faults: ReturnType<typeof unsupportedOdm>): void {
  if (faults.length > 0) throw invalidFields(faults, "unsupported_combination");
}

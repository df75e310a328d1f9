import { unsupportedActivities, unsupportedOdm } from "../domain/combinations.ts";
import { type CountryRules, type CountryTable, resolveCountry } from "../domain/country-rules.ts";
import { invalidFields, ServiceError } from "../errors.ts";
import type { AggregationBody } from "../schemas/aggregation.ts";
import type { Caller } from "../schemas/api-key.ts";
import type { AggregationRequest } from "../schemas/job.ts";

/**
 * The request that a body stands for: the country resolved (the customer's default when none is named) and allowed to the caller, the
 * product and geographies offered there. Throws `invalid_argument`, `permission_denied` or `unsupported_combination`.
 */
export function acceptRequest(body: AggregationBody, caller: Caller, table: CountryTable): AggregationRequest {
  const [code, rules] = allowedCountry(body.country_code ?? caller.defaultCountry, caller, table);
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

function allowedCountry(requested: string, caller: Caller, table: CountryTable): [string, CountryRules] {
  const code = resolveCountry(table, requested);
  const rules = code === undefined ? undefined : table[code];
  if (code === undefined || !rules) {
    const allowed = Object.keys(table);
    throw invalidFields([{ pointer: "/country_code", detail: `must be one of ${allowed.join(", ")}`, allowed }]);
  }
  if (!caller.countries.includes(code))
    throw new ServiceError(
      "permission_denied",
      `This key does not cover ${code}; it covers ${caller.countries.join(", ") || "no country"}`,
    );
  return [code, rules];
}

function refuse(faults: ReturnType<typeof unsupportedOdm>): void {
  if (faults.length > 0) throw invalidFields(faults, "unsupported_combination");
}

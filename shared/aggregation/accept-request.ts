import { allowedCountry } from "../countries/allowed-country.ts";
import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import type { Caller } from "../http/caller.ts";
import { invalidFields } from "../http/errors.ts";
import type { ActivitiesRequest, FlowRequest, OdmRequest } from "../jobs/job-fields.ts";
import type { FlowBody } from "../products/flow-schemas.ts";
import { unsupportedActivities, unsupportedFlow, unsupportedOdm } from "../products/offered.ts";
import type { AggregationBody } from "./schemas.ts";

/** A request before the road link of a coordinate is known. */
export type AcceptedRequest = ActivitiesRequest | OdmRequest | Omit<FlowRequest, "link">;

/**
 * The request that a body stands for: the country resolved (the customer's default when none is named) and allowed to the caller, the
 * product and geographies offered there, a window without an end ended now. Throws `invalid_argument`, `permission_denied` or
 * `unsupported_combination`.
 */
export function acceptRequest(body: AggregationBody, caller: Caller, table: CountryTable, now: Date): AcceptedRequest {
  const [code, rules] = allowedCountry(body.country_code, caller, table);
  const common = { country_code: code, start_time: body.start_time.toISOString(), full: body.full, format: body.format };
  if (body.agg_type === "flow") {
    refuse(unsupportedFlow(code, rules));
    const { agg_type, lat, lon } = body;
    const end_time = endOf(body, code, rules, now).toISOString();
    return { ...common, agg_type, measure: "people", activity_type: "hourly", lat, lon, end_time };
  }
  const bucketed = { ...common, activity_type: body.activity_type, end_time: body.end_time.toISOString() };
  if (body.agg_type === "odm") {
    const { agg_type, measure, origin_geo_type, destination_geo_type } = body;
    refuse(unsupportedOdm(code, rules, origin_geo_type, destination_geo_type));
    const ids = { origin_geo_ids: body.origin_geo_ids ?? null, destination_geo_ids: body.destination_geo_ids ?? null };
    return { ...bucketed, agg_type, measure, origin_geo_type, destination_geo_type, ...ids };
  }
  const { agg_type, measure, geo_type } = body;
  refuse(unsupportedActivities(code, rules, geo_type));
  return { ...bucketed, agg_type, measure, geo_type, geo_ids: body.geo_ids ?? null };
}

function endOf({ start_time, end_time }: FlowBody, code: string, { flow }: CountryRules, now: Date): Date {
  if (end_time) return end_time;
  if (!flow?.endTimeOptional) throw invalidFields([{ pointer: "/end_time", detail: `is required for flow in ${code}` }]);
  if (start_time < now) return now;
  throw invalidFields([{ pointer: "/start_time", detail: "must be before now, which is the end_time when none is given" }]);
}

function refuse(faults: ReturnType<typeof unsupportedOdm>): void {
  if (faults.length > 0) throw invalidFields(faults, "unsupported_combination");
}

import type { AskedFor } from "../api/jobs.ts";
import { dayOf } from "../format/days.ts";
import type { JobForm } from "./form-state.ts";

/**
 * Returns the form that asks for the same as a job. The form has whole days of the country: a window that a program chose within a day
 * becomes that day.
 */
export function formOf(asked: AskedFor, zone: string): JobForm {
  const isOdm = asked.agg_type === "odm";
  return {
    product: asked.agg_type,
    measure: asked.measure,
    activityType: asked.activity_type,
    geoType: (isOdm ? asked.origin_geo_type : asked.geo_type) ?? "",
    destinationType: asked.destination_geo_type ?? "",
    firstDay: dayOf(asked.start_time, zone),
    lastDay: dayOf(Date.parse(asked.end_time) - 1, zone),
    ids: listed(isOdm ? asked.origin_geo_ids : asked.geo_ids),
    destinationIds: listed(asked.destination_geo_ids),
    place: asked.lat === undefined || asked.lon === undefined ? "" : `${asked.lat}, ${asked.lon}`,
    full: asked.full,
    format: asked.format,
  };
}

function listed(ids: readonly number[] | null | undefined): string {
  return (ids ?? []).join(", ");
}

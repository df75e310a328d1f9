import type { StoredRequest } from "./request-fields.ts";

const MEASURE = /^[a-z][a-z0-9_]{0,63}$/;

/** Returns whether a measure can be part of a folder's name. */
export function isFolderSafe(measure: string): boolean {
  return MEASURE.test(measure);
}

/** Returns the folder of a request's export: `{product}_{bucket}_{measure}`, for example `activities_daily_sum_unique_people`. */
export function exportFolder({ agg_type, activity_type, measure }: Pick<StoredRequest, "agg_type" | "activity_type" | "measure">): string {
  return `${agg_type}_${activity_type}_${measure}`;
}

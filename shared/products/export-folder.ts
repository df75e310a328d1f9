import * as v from "valibot";
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

/** The schema of the matrix's `measure`, which only names the folder of an export. */
export const FolderMeasure = v.pipe(
  v.string(),
  v.check(isFolderSafe, "must be 1 to 64 lower-case letters, digits and underscores, beginning with a letter: it names the export folder"),
  v.metadata({
    pattern: MEASURE.source,
    description: "Only names the export folder: the matrix always counts trips",
  }),
);

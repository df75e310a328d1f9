import * as v from "valibot";
import type { TimeWindow } from "./time-window.ts";

export const ActivityType = v.picklist(["hourly", "daily"]);
export type ActivityType = v.InferOutput<typeof ActivityType>;

/** `full` as the specification's examples send it: a boolean or its text. */
export const Full = v.pipe(
  v.union([v.boolean(), v.picklist(["true", "false"])], "must be true or false"),
  v.transform((full) => full === true || full === "true"),
);

export const Format = v.picklist(["csv", "parquet", "json"]);
export type Format = v.InferOutput<typeof Format>;

/** For the check of a window's order; where it fails it is reported at `end_time`. */
export function startsBeforeEnd(window: { readonly start_time: Date; readonly end_time: Date }): boolean {
  return window.start_time < window.end_time;
}
export const WINDOW_ORDER = "must be after start_time";

/** What the stored requests of all products have besides `agg_type` and `measure`: the country is resolved, times are ISO 8601 in UTC. */
export const STORED_FIELDS = {
  country_code: v.string(),
  activity_type: ActivityType,
  start_time: v.string(),
  end_time: v.string(),
  full: v.boolean(),
  format: Format,
};

/**
 * A stored request of any product, as far as those read it who need not know the product: a job's status, its place in the queue and its export's
 * folder. Its product reads the rest.
 */
export const StoredRequestFields = v.looseObject({ agg_type: v.string(), measure: v.string(), ...STORED_FIELDS });

/** A request of any product as it is stored with its job and shown in a manifest. */
export interface StoredRequest {
  readonly agg_type: string;
  readonly country_code: string;
  /** Names the export's folder, with the product and `activity_type`. */
  readonly measure: string;
  readonly activity_type: ActivityType;
  readonly start_time: string;
  readonly end_time: string;
  readonly full: boolean;
  readonly format: Format;
}

/** The window of a stored request. */
export function windowOf({ start_time, end_time }: Pick<StoredRequest, "start_time" | "end_time">): TimeWindow {
  return { start: new Date(start_time), end: new Date(end_time) };
}

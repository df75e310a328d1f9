import * as v from "valibot";
import { GeoTypeName } from "../countries/request-fields.ts";
import { Timestamp, WholeNumber } from "../http/fields.ts";
import { ActivityType, type StoredRequest, windowOf } from "./request-fields.ts";
import { kindOf } from "./result-meta.ts";
import type { SummaryRow } from "./summary.ts";
import { civilDayStarts, hourStarts } from "./time-window.ts";

/** The members of a preview of Activities with `format` = `columns`. */
export const ACTIVITIES_COLUMNS = {
  measure: v.pipe(v.string(), v.description("What the values are")),
  activity_type: ActivityType,
  geo_type: GeoTypeName,
  geo_ids: v.pipe(v.array(WholeNumber), v.description("The geographies asked for that exist, ascending, with or without values")),
  time_buckets: v.pipe(v.array(Timestamp), v.description("The starts of all hours or days that the shown window overlaps, in order")),
  values: v.pipe(
    v.array(v.array(v.nullable(v.number()))),
    v.description("One list per time bucket, with one value per geography in the order of geo_ids. null: withheld, or nobody, or no data"),
  ),
};

const Cells = v.array(v.looseObject({ time_bucket: v.string(), geo_id: v.number() }));

/** A request with named geographies whose window is what a preview shows. */
interface Shown extends StoredRequest {
  readonly geo_type: string;
  readonly geo_ids: readonly number[] | null;
}

/** Returns the rows of a summary by column: all buckets of the window, and all known geographies. */
export function activitiesColumns(
  request: Shown,
  { preview, unknown_ids }: SummaryRow,
  timeZone: string,
): Readonly<Record<string, unknown>> {
  const { measure, activity_type, geo_type } = request;
  const unknown = new Set(unknown_ids);
  const geoIds = (request.geo_ids ?? []).filter((id) => !unknown.has(id)).sort((a, b) => a - b);
  const window = windowOf(request);
  const starts = activity_type === "hourly" ? hourStarts(window) : civilDayStarts(window, timeZone);
  const cells = v.parse(Cells, preview ?? []);
  const buckets = starts.map((start) => start.toISOString());
  const values = new Map(buckets.map((bucket) => [bucket, geoIds.map((): unknown => null)]));
  const columnOf = new Map(geoIds.map((id, column) => [id, column]));
  for (const cell of cells) {
    const [list, column] = [values.get(cell.time_bucket), columnOf.get(cell.geo_id)];
    if (!list || column === undefined) throw new Error(`A row of ${cell.time_bucket} and ${cell.geo_id} is not of the request`);
    list[column] = cell[measure];
  }
  const kind = kindOf("activities", "columns");
  return { kind, measure, activity_type, geo_type, geo_ids: geoIds, time_buckets: buckets, values: [...values.values()] };
}

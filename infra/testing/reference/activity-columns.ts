import type { ActivitiesRequest, Expected } from "./activities.ts";
import { civilDay, dateAfter, overlap, windowOf } from "./civil-days.ts";
import type { CountryRules } from "./countries.ts";

const HOUR_MS = 3_600_000;

/** What a preview with `format` = `columns` shows of its rows. */
export interface ExpectedColumns {
  readonly geo_ids: readonly number[];
  readonly time_buckets: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

/** Puts rows in columns: every bucket of the window that is shown, every known geography that was asked for. */
export function columnsReference(shown: ActivitiesRequest, { rows, unknown_ids }: Expected, rules: CountryRules): ExpectedColumns {
  const geo_ids = [...new Set((shown.geo_ids ?? []).map(Number))].filter((id) => !unknown_ids.includes(id)).sort((a, b) => a - b);
  const time_buckets = bucketsOf(shown, rules).map((bucket) => new Date(bucket).toISOString());
  const values = new Map(rows.map((row) => [`${row.time_bucket} ${row.geo_id}`, row[shown.measure]]));
  return { geo_ids, time_buckets, values: time_buckets.map((bucket) => geo_ids.map((id) => values.get(`${bucket} ${id}`) ?? null)) };
}

function bucketsOf(shown: ActivitiesRequest, { time_zone: timeZone }: CountryRules): number[] {
  const window = windowOf(shown);
  if (shown.activity_type === "hourly") {
    const starts: number[] = [];
    for (let hour = window.start - (window.start % HOUR_MS); hour < window.end; hour += HOUR_MS) starts.push(hour);
    return starts;
  }
  const days: number[] = [];
  const last = new Date(window.end + 24 * HOUR_MS).toISOString().slice(0, 10);
  for (let date = new Date(window.start - 24 * HOUR_MS).toISOString().slice(0, 10); date <= last; date = dateAfter(date))
    if (overlap(civilDay(timeZone, date), window)) days.push(civilDay(timeZone, date).start);
  return days;
}

import type { ActivityRow, ActivityTables } from "./activity-tables.ts";
import { civilDay, hourFrom, overlap, windowOf } from "./civil-days.ts";
import type { CountryRules } from "./countries.ts";
import { idFilter, type RequestedIds, unknownIds } from "./ids.ts";
import { groupKey } from "./tables.ts";

/** A request for Activities, as a customer writes it. */
export interface ActivitiesRequest {
  readonly agg_type: "activities";
  readonly country_code?: string;
  readonly measure: string;
  readonly activity_type: "hourly" | "daily";
  readonly geo_type: string;
  readonly geo_ids?: RequestedIds;
  readonly start_time: string;
  readonly end_time: string;
}

/** The expected response: rows in the response's form and order, and the ids that are unknown. */
export interface Expected {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly unknown_ids: readonly number[];
}

interface Value {
  readonly bucket: number;
  readonly geoId: number;
  readonly value: number;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

/** The measures that a table's rows hold directly. An hour's sum, average and peak of people are the same number. */
const COLUMNS: Readonly<Record<string, (row: ActivityRow) => number>> = {
  sum_unique_people: ({ people }) => people,
  avg_unique_people: ({ people }) => people,
  max_unique_people: ({ people }) => people,
  stays_count: ({ staysCount }) => staysCount,
  stays_dwell_minutes: ({ staysDwellMinutes }) => staysDwellMinutes,
  stays_devices: ({ staysDevices }) => staysDevices,
};

/** Daily measures that are computed over the day's published hours. */
const OVER_HOURS: Readonly<Record<string, (people: readonly number[]) => number>> = {
  avg_unique_people: meanToOneDecimal,
  max_unique_people: (people) => people.reduce((most, one) => Math.max(most, one)),
};

/** Computes Activities from the interface documents alone, without the service's code. */
export function activitiesReference(request: ActivitiesRequest, tables: ActivityTables, rules: CountryRules): Expected {
  const { activity_type: type, measure } = request;
  const group = groupKey(rules.code, request.geo_type);
  const names = tables.names.get(group) ?? NOTHING;
  const isWanted = idFilter(request.geo_ids);
  const rows = (type === "hourly" || measure in OVER_HOURS ? tables.hourly : tables.daily).get(group) ?? [];
  const window = windowOf(request);
  const spanOf = (row: ActivityRow) => (type === "hourly" ? hourFrom(row.timeBucket) : civilDay(rules.time_zone, row.batchDate));
  const inside = rows.filter((row) => isWanted(row.geoId) && overlap(spanOf(row), window));
  const overHours = type === "daily" ? OVER_HOURS[measure] : undefined;
  const values = overHours ? daysOf(inside, rules.time_zone, overHours) : bucketsOf(inside, (row) => spanOf(row).start, measure);
  const published = values.toSorted((a, b) => a.bucket - b.bucket || a.geoId - b.geoId);
  return {
    rows: published.map(({ bucket, geoId, value }) => ({
      [measure]: value,
      time_bucket: new Date(bucket).toISOString(),
      geo_id: geoId,
      geo_name: names.get(geoId),
      type,
    })),
    unknown_ids: unknownIds([request.geo_ids, names]),
  };
}

function bucketsOf(rows: readonly ActivityRow[], startOf: (row: ActivityRow) => number, measure: string): Value[] {
  const column = COLUMNS[measure];
  if (!column) throw new RangeError(`${measure} is not a measure of Activities`);
  return rows.map((row) => ({ bucket: startOf(row), geoId: row.geoId, value: column(row) }));
}

/** Returns one value per geography and day, taken over the published hours. */
function daysOf(hours: readonly ActivityRow[], timeZone: string, over: (people: readonly number[]) => number): Value[] {
  return [...Map.groupBy(hours, ({ geoId, batchDate }) => `${geoId} ${batchDate}`).values()].flatMap((day) => {
    const value = over(day.map(({ people }) => people));
    return day.slice(0, 1).map(({ geoId, batchDate }) => ({ bucket: civilDay(timeZone, batchDate).start, geoId, value }));
  });
}

/** Rounds half up, by integers: whether a mean is halfway between two tenths is then certain. */
function meanToOneDecimal(people: readonly number[]): number {
  const total = people.reduce((sum, one) => sum + one);
  return Math.floor((20 * total + people.length) / (2 * people.length)) / 10;
}

/** Returns the table that a request reads. */
export function activityTableOf({ activity_type: type, measure }: Pick<ActivitiesRequest, "activity_type" | "measure">): string {
  return type === "hourly" || measure in OVER_HOURS ? "activities_hourly" : "activities_daily";
}

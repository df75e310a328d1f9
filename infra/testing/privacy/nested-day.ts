import * as v from "valibot";
import { civilDay } from "../reference/civil-days.ts";
import { countryOf } from "../reference/countries.ts";
import type { TokenHolder } from "../reference/customers.ts";
import { exported } from "../reference/exports.ts";
import { query } from "../reference/tables.ts";

/** A sample country that has every level, and its nested levels, finest first. */
export const COUNTRY = "LAT";
const RULES = countryOf({ country_code: COUNTRY });
/** How many devices must stand behind a published row there: not the default. */
export const K = RULES.k;
export const LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;
export type Level = (typeof LEVELS)[number];
export const [FINEST, ...COARSER] = LEVELS;

/** A complete civil day of the sample, as a date and as the window of a request. */
export const DATE = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
const { start, end } = civilDay(RULES.time_zone, DATE);
export const WINDOW = { start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() };

type Bucket = "hourly" | "daily";

/** Returns the key of a row of Activities within its level. */
export function rowKey(bucket: unknown, geoId: unknown): string {
  return `${bucket} ${geoId}`;
}

const PublishedRows = v.array(v.looseObject({ time_bucket: v.string(), geo_id: v.number() }));

/** Returns the published values of a level on the day, by `rowKey`. */
export async function publishedActivities(
  customer: TokenHolder,
  level: Level,
  activity_type: Bucket,
  measure: string,
): Promise<ReadonlyMap<string, number>> {
  const request = { agg_type: "activities", country_code: COUNTRY, measure, activity_type, geo_type: level, ...WINDOW, format: "parquet" };
  const { rows } = await exported(customer, request);
  return new Map(v.parse(PublishedRows, rows).map((row) => [rowKey(row.time_bucket, row.geo_id), v.parse(v.number(), row[measure])]));
}

const Raw = v.array(v.object({ geo_type: v.picklist(LEVELS), geo_id: v.number(), bucket: v.string(), devices: v.number() }));

/** A warehouse row of Activities, with its key, and the keys of the rows around it by level, its own included. */
export interface RawRow {
  readonly level: Level;
  readonly key: string;
  readonly devices: number;
  readonly around: Readonly<Partial<Record<Level, string>>>;
}

/** Reads every row of the day, including withheld ones. */
export async function rawActivities(activityType: Bucket): Promise<RawRow[]> {
  const placesAround = await placesOf();
  const sql = `SELECT geo_type, geo_id, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS bucket, devices
    FROM mobility.activities_${activityType} WHERE batch_date = '${DATE}' AND country_code = '${COUNTRY}'`;
  return v.parse(Raw, await query(sql)).map(({ geo_type: level, geo_id: id, bucket, devices }) => {
    const ids = placesAround(level, id);
    const around = Object.fromEntries(Object.entries(ids).map(([name, place]) => [name, rowKey(bucket, place)]));
    return { level, key: rowKey(bucket, id), devices, around };
  });
}

const Parents = v.array(v.object({ geo_type: v.string(), geo_id: v.number(), parent_id: v.nullable(v.number()) }));

/** Returns the geographies around one, by level, itself included. The km cell comes from the corner in the id. */
export async function placesOf(): Promise<(level: Level, id: number) => Partial<Record<Level, number | undefined>>> {
  const parents = await parentsOf();
  return (level, id) => {
    if (level === "admin_level_2") return { admin_level_2: id };
    const parent = parents.get(`${level} ${id}`);
    if (level === "admin_level_4") return { admin_level_4: id, admin_level_2: parent };
    const areas = { admin_level_4: parent, admin_level_2: parents.get(`admin_level_4 ${parent}`) };
    return level === "grid_1000m" ? { grid_1000m: id, ...areas } : { grid_250m: id, grid_1000m: kilometreCell(id), ...areas };
  };
}

/** Reads the parent area of each geography, by type and id. */
async function parentsOf(): Promise<ReadonlyMap<string, number>> {
  const sql = `SELECT geo_type, geo_id, parent_id FROM mobility.geographies WHERE country_code = '${COUNTRY}'`;
  const rows = v.parse(Parents, await query(sql));
  return new Map(rows.flatMap(({ geo_type: type, geo_id: id, parent_id: parent }) => (parent === null ? [] : [[`${type} ${id}`, parent]])));
}

function kilometreCell(id: number): number {
  const [east, north] = [Math.floor(id / 1e7), id % 1e7];
  return (east - (east % 1000)) * 1e7 + north - (north % 1000);
}

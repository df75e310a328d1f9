import * as v from "valibot";
import type { Parameters } from "../../shared/google/statement.ts";
import { statement } from "../../shared/google/statement.ts";
import { LOADED_TABLES, loadedCountry } from "../../shared/products/loaded-tables.ts";
import type { Target } from "../import/target.ts";
import { query } from "../import/warehouse.ts";
import type { AreaRules } from "./area-rules.ts";
import type {
  ActivityDay,
  ActivityValues,
  Country,
  PeopleByKey,
  PublishedPair,
  RawActivity,
  RawByKey,
  RawPair,
  WithheldShare,
} from "./dataset.ts";
import { LEVEL_TYPES, placeId, placesOf } from "./places.ts";

/** The raw tables require a filter on the day of the load. All that is still there is read. */
const LOADED = 'loaded_on > "1970-01-01"';
const LABELS = { purpose: "privacy-audit" };

const Activity = v.object({
  geo_type: v.string(),
  geo_id: v.number(),
  bucket: v.string(),
  people: v.number(),
  stays_count: v.number(),
  stays_dwell_minutes: v.number(),
  stays_devices: v.number(),
});
const Raw = v.object({ ...Activity.entries, devices: v.number() });
const Pair = v.object({
  origin_geo_type: v.string(),
  origin_geo_id: v.number(),
  destination_geo_type: v.string(),
  destination_geo_id: v.number(),
  trips: v.number(),
  average_speed_kmh: v.nullable(v.number()),
});
const People = v.object({ id: v.string(), people: v.number() });
const Geography = v.object({
  geo_type: v.string(),
  geo_id: v.number(),
  parent_id: v.nullable(v.number()),
  lon: v.number(),
  lat: v.number(),
});

/** Returns the countries with published hours of Activities that are in the rules, and the newest days of each, oldest first. */
export async function readDays(target: Target, days: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const Row = v.object({ country_code: v.string(), day: v.string() });
  const sql = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS day
FROM \`mobility.batches\`
WHERE table_name = 'activities_hourly'
GROUP BY country_code, batch_date
ORDER BY country_code, day`;
  const rows = await query(target, statement(Row, sql, {}), LABELS);
  const known = Map.groupBy(rows, ({ country_code }) => country_code);
  return new Map([...known].flatMap(([code, own]) => (target.countries[code] ? [[code, own.slice(-days).map(({ day }) => day)]] : [])));
}

/** Reads the geometry of a country. Throws if the country's rules have no Activities of a nested type. */
export async function readCountry(target: Target, code: string): Promise<Country> {
  const sql = `SELECT geo_type, geo_id, parent_id, lon, lat FROM \`mobility.geographies\` WHERE country_code = @country`;
  const rows = await query(target, statement(Geography, sql, { country: { type: "STRING", value: code } }), LABELS);
  const activities = areaRules(target, code, "activities_hourly");
  const pairs = areaRules(target, code, "odm_daily");
  if (!activities) throw new Error(`${code} offers no Activities of nested geographies`);
  return {
    code,
    activities,
    places: placesOf(rows, activities.finestLevel),
    pairs,
    placesOfPairs: pairs ? placesOf(rows, pairs.finestLevel) : new Map(),
    centroids: new Map(rows.map(({ geo_type, geo_id, lon, lat }) => [`${geo_type}/${geo_id}`, [lon, lat]])),
  };
}

function areaRules({ countries }: Target, code: string, tableName: string): AreaRules | undefined {
  const [table, rules] = [LOADED_TABLES.find(({ name }) => name === tableName), countries[code]];
  const loaded = table && rules && loadedCountry(table, code, rules);
  if (!loaded || loaded.finestType === undefined) return undefined;
  const { k, step, isProtected, finestType } = loaded;
  return { k, step, isProtected, peoplePerDevice: rules?.peopleOfDevice ?? 1, finestLevel: LEVEL_TYPES.indexOf(finestType) };
}

/** Reads a published day of Activities. */
export async function readPublishedDay(target: Target, code: string, date: string): Promise<ActivityDay<ActivityValues>> {
  const read = (table: string) => query(target, statement(Activity, activitySql("mobility", table, ""), dayOf(code, date)), LABELS);
  const [hourly, daily] = [await read("activities_hourly"), await read("activities_daily")];
  return dayFrom(date, hourly, daily, valuesOf);
}

/** Reads a day of Activities as it was delivered. */
export async function readRawDay(target: Target, code: string, date: string): Promise<ActivityDay<RawActivity>> {
  const read = (table: string) => query(target, statement(Raw, activitySql("intake", table, ", devices"), dayOf(code, date)), LABELS);
  const [hourly, daily] = [await read("activities_hourly"), await read("activities_daily")];
  return dayFrom(date, hourly, daily, (row) => ({ ...valuesOf(row), devices: row.devices }));
}

function activitySql(dataset: "intake" | "mobility", table: string, more: string): string {
  return `SELECT
  geo_type, geo_id, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS bucket, people, stays_count, stays_dwell_minutes, stays_devices${more}
FROM \`${dataset}.${table}\`
WHERE batch_date = @day AND country_code = @country${dataset === "intake" ? ` AND ${LOADED}` : ""}`;
}

function dayOf(code: string, date: string): Parameters {
  return { country: { type: "STRING", value: code }, day: { type: "DATE", value: date } };
}

function valuesOf(row: v.InferOutput<typeof Activity>): ActivityValues {
  return {
    people: row.people,
    staysCount: row.stays_count,
    staysMinutes: row.stays_dwell_minutes,
    staysDevices: row.stays_devices,
  };
}

function dayFrom<Row extends v.InferOutput<typeof Activity>, Values>(
  date: string,
  hourly: readonly Row[],
  daily: readonly Row[],
  values: (row: Row) => Values,
): ActivityDay<Values> {
  const byPlace = (rows: readonly Row[]): ReadonlyMap<string, Values> =>
    new Map(
      rows.flatMap((row) => {
        const level = LEVEL_TYPES.indexOf(row.geo_type);
        return level < 0 ? [] : [[placeId(level, row.geo_id), values(row)] as const];
      }),
    );
  const hours = [...Map.groupBy(hourly, ({ bucket }) => bucket)].sort(([a], [b]) => (a < b ? -1 : 1));
  return { date, hours: new Map(hours.map(([bucket, rows]) => [bucket, byPlace(rows)])), day: byPlace(daily) };
}

const ENDS = "origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, average_speed_kmh";

/** Reads the published pairs of a day. */
export async function readPairs(target: Target, code: string, date: string): Promise<readonly PublishedPair[]> {
  const Row = v.object({ ...Pair.entries, general_distance_m: v.nullable(v.number()) });
  const sql = `SELECT ${ENDS}, general_distance_m FROM \`mobility.odm_daily\` WHERE batch_date = @day AND country_code = @country`;
  const rows = await query(target, statement(Row, sql, dayOf(code, date)), LABELS);
  return rows.map((row) => ({ ...pairOf(row), distance: row.general_distance_m }));
}

/** Reads the pairs of a day as they were delivered. */
export async function readRawPairs(target: Target, code: string, date: string): Promise<readonly RawPair[]> {
  const Row = v.object({ ...Pair.entries, devices: v.number() });
  const sql = `SELECT ${ENDS}, devices FROM \`intake.odm_daily\` WHERE batch_date = @day AND country_code = @country AND ${LOADED}`;
  const rows = await query(target, statement(Row, sql, dayOf(code, date)), LABELS);
  return rows.map((row) => ({ ...pairOf(row), devices: row.devices }));
}

function pairOf(row: v.InferOutput<typeof Pair>): Omit<PublishedPair, "distance"> {
  return {
    originType: row.origin_geo_type,
    originId: row.origin_geo_id,
    destinationType: row.destination_geo_type,
    destinationId: row.destination_geo_id,
    trips: row.trips,
    speed: row.average_speed_kmh,
  };
}

const FLOW_ID = "CONCAT(CAST(link_id AS STRING), ' ', FORMAT_TIMESTAMP('%FT%TZ', time_bucket), ' ', CAST(direction AS STRING)) AS id";

/** Reads the published Flow of a day by link, hour and direction. */
export async function readFlows(target: Target, code: string, date: string): Promise<PeopleByKey> {
  const sql = `SELECT ${FLOW_ID}, people FROM \`mobility.flows_hourly\` WHERE batch_date = @day AND country_code = @country`;
  return new Map((await query(target, statement(People, sql, dayOf(code, date)), LABELS)).map(({ id, people }) => [id, people]));
}

const RawPeopleRow = v.object({ ...People.entries, devices: v.number() });

/** Reads the Flow of a day as it was delivered. */
export async function readRawFlows(target: Target, code: string, date: string): Promise<RawByKey> {
  const sql = `SELECT ${FLOW_ID}, people, devices FROM \`intake.flows_hourly\` WHERE batch_date = @day AND country_code = @country AND ${LOADED}`;
  return new Map((await query(target, statement(RawPeopleRow, sql, dayOf(code, date)), LABELS)).map(({ id, ...row }) => [id, row]));
}

/** The tick in the middle of each hour: one an hour is enough to compare. */
const TICK_ID = "CONCAT(FORMAT_TIMESTAMP('%FT%TZ', TIMESTAMP_TRUNC(tick, HOUR)), ' ', CAST(cell_id AS STRING)) AS id";
const IN_SPAN = `tick >= @first AND tick < @last AND country_code = @country
  AND TIMESTAMP_SUB(tick, INTERVAL 30 MINUTE) = TIMESTAMP_TRUNC(tick, HOUR)`;

/** Reads the published cells of ticks, one in the middle of each hour, by `HOUR CELL`. Instants are ISO 8601; `last` is exclusive. */
export async function readTicks(target: Target, code: string, first: string, last: string): Promise<PeopleByKey> {
  const sql = `SELECT ${TICK_ID}, people FROM \`realtime.presence\` WHERE ${IN_SPAN}`;
  return new Map((await query(target, statement(People, sql, spanOf(code, first, last)), LABELS)).map(({ id, people }) => [id, people]));
}

/** Reads the cells of these ticks as they were delivered. */
export async function readRawTicks(target: Target, code: string, first: string, last: string): Promise<RawByKey> {
  const sql = `SELECT ${TICK_ID}, people, devices FROM \`intake.presence\` WHERE ${IN_SPAN}`;
  return new Map((await query(target, statement(RawPeopleRow, sql, spanOf(code, first, last)), LABELS)).map(({ id, ...row }) => [id, row]));
}

function spanOf(code: string, first: string, last: string): Parameters {
  return {
    country: { type: "STRING", value: code },
    first: { type: "TIMESTAMP", value: first },
    last: { type: "TIMESTAMP", value: last },
  };
}

/** Reads what is told of the withheld rows of a day's batches. */
export async function readShares(target: Target, code: string, date: string): Promise<readonly WithheldShare[]> {
  const Row = v.object({
    table_name: v.string(),
    geo_type: v.string(),
    destination_geo_type: v.nullable(v.string()),
    published_rows: v.number(),
    withheld_people_percent: v.nullable(v.number()),
  });
  const sql = `SELECT table_name, geo_type, destination_geo_type, published_rows, withheld_people_percent
FROM \`mobility.batch_geo_types\`
WHERE batch_date = @day AND country_code = @country
QUALIFY version = MAX(version) OVER (PARTITION BY table_name)`;
  const rows = await query(target, statement(Row, sql, dayOf(code, date)), LABELS);
  return rows.map((row) => ({
    table: row.table_name,
    date,
    geoType: row.geo_type,
    destinationType: row.destination_geo_type,
    publishedRows: row.published_rows,
    percent: row.withheld_people_percent,
  }));
}

import type { Statement } from "../../shared/google/statement.ts";
import { LOADED_TABLES, loadedCountry } from "../../shared/products/loaded-tables.ts";
import { civilDate } from "../../shared/products/time-window.ts";
import type { Target } from "../import/target.ts";
import { query } from "../import/warehouse.ts";
import type { AreaRules } from "./area-rules.ts";
import type {
  ActivityDay,
  ActivityValues,
  ClassFlow,
  Country,
  PeopleByKey,
  PublishedPair,
  RawActivity,
  RawByKey,
  RawClassFlow,
  RawPair,
  WithheldShare,
} from "./dataset.ts";
import { LEVEL_TYPES, linkEnd, type Places, placeAround, placeId, placesOf } from "./places.ts";
import {
  type ActivityRow,
  type ClassFlowRow,
  type Day,
  geographiesStatement,
  linkCellsStatement,
  publishedActivitiesStatement,
  publishedClassFlowsStatement,
  publishedDaysStatement,
  publishedFlowsStatement,
  publishedPairsStatement,
  publishedTicksStatement,
  rawActivitiesStatement,
  rawClassFlowsStatement,
  rawFlowsStatement,
  rawPairsStatement,
  rawTicksStatement,
  type Span,
  sharesStatement,
  uncountedStatement,
} from "./statements.ts";

function read<Row>(target: Target, statement: Statement<Row>): Promise<readonly Row[]> {
  return query(target, statement, { purpose: "privacy-audit" });
}

/**
 * Returns the countries with published hours of Activities that are in the rules, and the newest days of each, oldest first.
 * Days that were corrected are left out where there are others: their numbers may be those of before, a step beside what the rule gives.
 * @param now the present: the country's current day has only its first hours, and is taken only where there is no other
 */
export async function readDays(target: Target, days: number, now: Date): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await read(target, publishedDaysStatement());
  const known = Map.groupBy(rows, ({ country_code }) => country_code);
  return new Map(
    [...known].flatMap(([code, own]) => {
      const rules = target.countries[code];
      if (!rules) return [];
      const once = own.filter(({ is_corrected: isCorrected }) => !isCorrected);
      const dates = (once.length > 0 ? once : own).map(({ day }) => day);
      const whole = dates.filter((date) => date < civilDate(now, rules.timeZone));
      return [[code, (whole.length > 0 ? whole : dates).slice(-days)]];
    }),
  );
}

/** Reads the geometry of a country. Throws if the country's rules have no Activities of a nested type. */
export async function readCountry(target: Target, code: string): Promise<Country> {
  const activities = areaRules(target, code, "activities_hourly");
  const pairs = areaRules(target, code, "odm_daily");
  if (!activities) throw new Error(`${code} offers no Activities of nested geographies`);
  const rows = await read(target, geographiesStatement(code));
  return {
    code,
    activities,
    places: placesOf(rows, activities.finestLevel),
    pairs,
    placesOfPairs: pairs ? placesOf(rows, pairs.finestLevel) : new Map(),
    placesOfLinks: pairs ? linkPlaces(await read(target, linkCellsStatement(code)), placesOf(rows, 0), pairs) : new Map(),
    centroids: new Map(rows.map(({ geo_type, geo_id, lon, lat }) => [`${geo_type}/${geo_id}`, [lon, lat]])),
  };
}

/** How many geographies of the finest type of Activities a country has, and in how many of them nobody was ever counted. */
export interface Uncounted {
  readonly country: string;
  readonly geoType: string;
  readonly geographies: number;
  readonly uncounted: number;
  readonly examples: readonly number[];
}

/** Reads in how many geographies of the finest type no raw row that is still there has any devices. */
export async function readUncounted(target: Target, { code, activities }: Country): Promise<Uncounted> {
  const geoType = LEVEL_TYPES[activities.finestLevel] ?? "";
  const [row] = await read(target, uncountedStatement(code, geoType));
  return { country: code, geoType, ...(row ?? { geographies: 0, uncounted: 0, examples: [] }) };
}

function linkPlaces(
  rows: readonly { readonly geo_id: number; readonly cell_id: number }[],
  cells: Places,
  { finestLevel }: AreaRules,
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, Set<string>>();
  for (const { geo_id: link, cell_id: cell } of rows) {
    const place = placeAround(cells, finestLevel, cell);
    if (place === undefined) continue;
    const own = places.get(linkEnd(link)) ?? new Set();
    places.set(linkEnd(link), own.add(place));
  }
  return new Map([...places].map(([link, own]) => [link, [...own]]));
}

function areaRules({ countries }: Target, code: string, tableName: string): AreaRules | undefined {
  const [table, rules] = [LOADED_TABLES.find(({ name }) => name === tableName), countries[code]];
  const loaded = table && rules && loadedCountry(table, code, rules);
  if (!loaded || loaded.finestType === undefined) return undefined;
  const { k, step, isProtected, isStrict = false, finestType } = loaded;
  return { k, step, isProtected, isStrict, peoplePerDevice: rules?.peopleOfDevice ?? 1, finestLevel: LEVEL_TYPES.indexOf(finestType) };
}

/** Reads a published day of Activities. A day that waits for its hours has no rows of its own. */
export async function readPublishedDay(target: Target, day: Day): Promise<ActivityDay<ActivityValues>> {
  const hourly = await read(target, publishedActivitiesStatement("activities_hourly", day));
  return dayFrom(day.date, hourly, await read(target, publishedActivitiesStatement("activities_daily", day)), valuesOf);
}

/** Reads a day of Activities as it was delivered. */
export async function readRawDay(target: Target, day: Day): Promise<ActivityDay<RawActivity>> {
  const hourly = await read(target, rawActivitiesStatement("activities_hourly", day));
  const daily = await read(target, rawActivitiesStatement("activities_daily", day));
  return dayFrom(day.date, hourly, daily, (row) => ({ ...valuesOf(row), devices: row.devices }));
}

function valuesOf(row: ActivityRow): ActivityValues {
  return {
    people: row.people,
    staysCount: row.stays_count,
    staysMinutes: row.stays_dwell_minutes,
    staysDevices: row.stays_devices,
  };
}

function dayFrom<Row extends ActivityRow, Values>(
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

/** Reads the published pairs of a day. */
export async function readPairs(target: Target, day: Day): Promise<readonly PublishedPair[]> {
  const rows = await read(target, publishedPairsStatement(day));
  return rows.map((row) => ({ ...pairOf(row), distance: row.general_distance_m }));
}

/** Reads the pairs of a day as they were delivered. */
export async function readRawPairs(target: Target, day: Day): Promise<readonly RawPair[]> {
  const rows = await read(target, rawPairsStatement(day));
  return rows.map((row) => ({ ...pairOf(row), devices: row.devices }));
}

function pairOf(row: {
  readonly origin_geo_type: string;
  readonly origin_geo_id: number;
  readonly destination_geo_type: string;
  readonly destination_geo_id: number;
  readonly trips: number;
  readonly average_speed_kmh: number | null;
}): Omit<PublishedPair, "distance"> {
  return {
    originType: row.origin_geo_type,
    originId: row.origin_geo_id,
    destinationType: row.destination_geo_type,
    destinationId: row.destination_geo_id,
    trips: row.trips,
    speed: row.average_speed_kmh,
  };
}

/** Reads a day's published Flow by link, hour and direction. */
export async function readFlows(target: Target, day: Day): Promise<PeopleByKey> {
  return new Map((await read(target, publishedFlowsStatement(day))).map(({ id, people }) => [id, people]));
}

/** Reads a day's Flow as it was delivered. */
export async function readRawFlows(target: Target, day: Day): Promise<RawByKey> {
  return new Map((await read(target, rawFlowsStatement(day))).map(({ id, ...row }) => [id, row]));
}

/** Reads a day's published Flow of a strict country. */
export async function readClassFlows(target: Target, day: Day): Promise<readonly ClassFlow[]> {
  return (await read(target, publishedClassFlowsStatement(day))).map(classFlowOf);
}

/** Reads a day's Flow as it was delivered, with the road classes of the links. */
export async function readRawClassFlows(target: Target, day: Day): Promise<readonly RawClassFlow[]> {
  return (await read(target, rawClassFlowsStatement(day))).map((row) => ({ ...classFlowOf(row), devices: row.devices }));
}

function classFlowOf({ link_id, direction, road_class, hour, people }: ClassFlowRow): ClassFlow {
  return { linkId: link_id, direction, roadClass: road_class ?? "", hour, people };
}

/** Reads the published cells of ticks, one in the middle of each hour, by `HOUR CELL`. */
export async function readTicks(target: Target, span: Span): Promise<PeopleByKey> {
  return new Map((await read(target, publishedTicksStatement(span))).map(({ id, people }) => [id, people]));
}

/** Reads the cells of these ticks as they were delivered. */
export async function readRawTicks(target: Target, span: Span): Promise<RawByKey> {
  return new Map((await read(target, rawTicksStatement(span))).map(({ id, ...row }) => [id, row]));
}

/** Reads what is told of the withheld rows of a day's batches of areas. */
export async function readShares(target: Target, day: Day): Promise<readonly WithheldShare[]> {
  const rows = await read(target, sharesStatement(day));
  return rows.map((row) => ({
    table: row.table_name,
    geoType: row.geo_type,
    publishedRows: row.published_rows,
    percent: row.withheld_people_percent,
  }));
}

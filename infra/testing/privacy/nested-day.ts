import * as v from "valibot";
import type { AreaRules } from "../../../scripts/privacy/area-rules.ts";
import { placesOf as nestedPlaces, placeId } from "../../../scripts/privacy/places.ts";
import { countries } from "../../../shared/countries/countries.ts";
import { stepOf } from "../../../shared/countries/step.ts";
import { runAsLoader } from "../raw-counts.ts";
import { civilDay } from "../reference/civil-days.ts";
import { countryOf } from "../reference/countries.ts";
import { newTokenHolder, type TokenHolder } from "../reference/customers.ts";
import { exported } from "../reference/exports.ts";
import { query } from "../reference/tables.ts";
import { type AttackedDay, attackedDay, byPlace, type DayNumbers, type DeliveredDay, type DeliveredRow } from "./attacked-day.ts";

/** A sample country that has every level, and its nested levels, finest first. */
export const COUNTRY = "LAT";
/** The rules by which its counts are published, all of which an attacker knows. */
export const RULES = rulesOf(COUNTRY);
/** How many devices must stand behind a published row there: not the default. */
export const K = RULES.k;
export const LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;
export type Level = (typeof LEVELS)[number];
export const [FINEST, ...COARSER] = LEVELS;

const DAY_MS = 86_400_000;
const WEDNESDAY = 3;

/**
 * A complete civil day of the sample, as a date and as the window of a request: a Wednesday, whatever today is, since at a weekend fewer
 * people are in a cell and more of them are withheld.
 */
export const DATE = newestWednesday(new Date(Date.now() - 3 * DAY_MS));
const { start, end } = civilDay(countryOf({ country_code: COUNTRY }).time_zone, DATE);
export const WINDOW = { start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() };

/** Returns the date of the newest Wednesday up to a day, in UTC. */
function newestWednesday(day: Date): string {
  const daysSince = (day.getUTCDay() - WEDNESDAY + 7) % 7;
  return new Date(day.getTime() - daysSince * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the rules by which a country's counts are published. Throws when they are protected. */
export function rulesOf(country: string): AreaRules {
  const rules = countries()[country];
  if (rules?.peopleOfDevice === undefined) throw new Error(`${country} has no rules of publishing`);
  const { k, peopleOfDevice: peoplePerDevice, isProtected, isStrict } = rules;
  return { k, step: stepOf(rules), peoplePerDevice, finestLevel: 0, isProtected, isStrict };
}

export type Bucket = "hourly" | "daily";

/** Returns the key of a row of Activities within its level. */
export function rowKey(bucket: unknown, geoId: unknown): string {
  return `${bucket} ${geoId}`;
}

const PublishedRows = v.array(v.looseObject({ time_bucket: v.string(), geo_id: v.number() }));
/** Published values that were read, by request: they do not change while tests run, and an export of a whole type takes a while. */
const known = new Map<string, Promise<ReadonlyMap<string, number>>>();
let reader: Promise<TokenHolder> | undefined;

/** Returns the published values of a level on the day, by `rowKey`, from an export of the whole type. */
export function publishedActivities(level: Level, activityType: Bucket, measure: string): Promise<ReadonlyMap<string, number>> {
  const name = `${level} ${activityType} ${measure}`;
  const values = known.get(name) ?? exportedActivities(level, activityType, measure);
  known.set(name, values);
  return values;
}

async function exportedActivities(level: Level, activityType: Bucket, measure: string): Promise<ReadonlyMap<string, number>> {
  reader ??= newTokenHolder();
  return exportedValues(await reader, { country_code: COUNTRY, activity_type: activityType, geo_type: level, ...WINDOW }, measure);
}

/** Returns the values of a measure in an export of Activities, by `rowKey`. */
export async function exportedValues(customer: TokenHolder, request: object, measure: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await exported(customer, { agg_type: "activities", measure, format: "parquet", ...request });
  return new Map(v.parse(PublishedRows, rows).map((row) => [rowKey(row.time_bucket, row.geo_id), v.parse(v.number(), row[measure])]));
}

/** Returns the people of levels of a day by the start of the hour or day and the id of the place, from values by `rowKey`. */
export async function publishedNumbers(
  valuesOf: (level: Level, activityType: Bucket) => Promise<ReadonlyMap<string, number>>,
  ofLevels: readonly Level[] = LEVELS,
): Promise<DayNumbers> {
  const numbersOf = async (activityType: Bucket) => {
    const levels = await Promise.all(ofLevels.map(async (level) => ({ level, values: await valuesOf(level, activityType) })));
    const rows = levels.flatMap(({ level, values }) =>
      [...values].map(([key, value]) => {
        const [bucket = "", id = ""] = key.split(" ");
        return { bucket, place: placeOf(level, Number(id)), value };
      }),
    );
    return byPlace(rows, ({ value }) => value);
  };
  return { hourly: await numbersOf("hourly"), daily: await numbersOf("daily") };
}

/** Returns the sample's day as it was delivered. */
export async function sampleDay(): Promise<DeliveredDay> {
  return { places: nestedPlaces(await geographies(), 0), hourly: await rawActivities("hourly"), daily: await rawActivities("daily") };
}

/** Returns the sample's day as an attacker sees it who has some levels. */
export async function attackedSampleDay(levels: readonly Level[] = LEVELS): Promise<AttackedDay> {
  const people = (level: Level, activityType: Bucket) => publishedActivities(level, activityType, "sum_unique_people");
  const numbers = await publishedNumbers(people, levels);
  return attackedDay(await sampleDay(), RULES, numbers);
}

const Raw = v.array(
  v.object({
    geo_type: v.picklist(LEVELS),
    geo_id: v.number(),
    bucket: v.string(),
    devices: v.number(),
    people: v.number(),
    stays_devices: v.number(),
    stays_count: v.number(),
  }),
);

/** A row of Activities as it was delivered. */
export interface RawRow extends DeliveredRow {
  readonly level: Level;
  /** Its `rowKey`. */
  readonly key: string;
  readonly staysDevices: number;
  readonly staysCount: number;
}

const delivered = new Map<Bucket, Promise<readonly RawRow[]>>();

/** Returns every row of the day that was delivered, as the loader. */
export function rawActivities(activityType: Bucket): Promise<readonly RawRow[]> {
  const rows = delivered.get(activityType) ?? readRaw(activityType);
  delivered.set(activityType, rows);
  return rows;
}

async function readRaw(activityType: Bucket): Promise<readonly RawRow[]> {
  const rows = await runAsLoader(`SELECT geo_type, geo_id, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS bucket,
      devices, people, stays_devices, stays_count
    FROM intake.activities_${activityType} WHERE loaded_on > '1970-01-01' AND batch_date = '${DATE}' AND country_code = '${COUNTRY}'`);
  return v.parse(Raw, rows).map(({ geo_type: level, geo_id: id, bucket, devices, people, stays_devices, stays_count }) => ({
    ...{ level, bucket, key: rowKey(bucket, id), place: placeOf(level, id) },
    ...{ devices, people, staysDevices: stays_devices, staysCount: stays_count },
  }));
}

/** Returns the id of a geography's place, as the auditor has it. */
export function placeOf(level: Level, id: number): string {
  return placeId(LEVELS.indexOf(level), id);
}

const Geographies = v.array(v.object({ geo_type: v.string(), geo_id: v.number(), parent_id: v.nullable(v.number()) }));

/** Returns the geographies around one, by level, itself included. The km cell comes from the corner in the id. */
export async function placesOf(): Promise<(level: Level, id: number) => Partial<Record<Level, number | undefined>>> {
  const rows = await geographies();
  const parents = new Map(rows.map(({ geo_type, geo_id, parent_id }) => [`${geo_type} ${geo_id}`, parent_id ?? undefined]));
  return (level, id) => {
    if (level === "admin_level_2") return { admin_level_2: id };
    const parent = parents.get(`${level} ${id}`);
    if (level === "admin_level_4") return { admin_level_4: id, admin_level_2: parent };
    const areas = { admin_level_4: parent, admin_level_2: parents.get(`admin_level_4 ${parent}`) };
    return level === "grid_1000m" ? { grid_1000m: id, ...areas } : { grid_250m: id, grid_1000m: kilometreCell(id), ...areas };
  };
}

/** Reads the country's geographies. */
async function geographies() {
  const sql = `SELECT geo_type, geo_id, parent_id FROM mobility.geographies WHERE country_code = '${COUNTRY}'`;
  return v.parse(Geographies, await query(sql));
}

function kilometreCell(id: number): number {
  const [east, north] = [Math.floor(id / 1e7), id % 1e7];
  return (east - (east % 1000)) * 1e7 + north - (north % 1000);
}

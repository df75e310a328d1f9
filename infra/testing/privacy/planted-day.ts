import { peopleOf } from "../../../scripts/privacy/area-rules.ts";
import { placesOf } from "../../../scripts/privacy/places.ts";
import { chanceOf } from "../reference/chance.ts";
import { newTokenHolder } from "../reference/customers.ts";
import { importRows } from "../reference/import-rows.ts";
import { VILNIUS } from "../reference/lithuania.ts";
import { type AttackedDay, attackedDay, type DeliveredDay, type DeliveredRow } from "./attacked-day.ts";
import { type Bucket, exportedValues, LEVELS, type Level, placeOf, publishedNumbers, rulesOf } from "./nested-day.ts";

const COUNTRY = "LTU";
/** Its rules, by which the planted day is published. */
export const PLANTED_RULES = rulesOf(COUNTRY);

/** A civil day of Lithuania that no other test loads, and some of its hours. */
const DAY = "2019-06-02T21:00:00.000Z";
const WINDOW = { start_time: DAY, end_time: "2019-06-03T21:00:00.000Z" };
const HOURS = [6, 7, 8, 9].map((hour) => new Date(Date.UTC(2019, 5, 3, hour)).toISOString());
/** The devices of a cell in an hour: mostly few, some just enough. */
const DEVICES = [0, 0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 8, 9, 12, 15, 20];
const SEED = 17;
/** The municipality around all areas has no row. */
const PLANTED_LEVELS = LEVELS.slice(0, 3);

interface Place {
  readonly level: Level;
  readonly id: number;
  readonly parent: number;
  readonly parts: readonly Place[];
}

/** Areas with two km cells each, of two to four cells. */
const AREAS: readonly Place[] = [0, 1, 2, 3, 4, 5].map((area) => areaOf(1301 + area, [2, 2 + (area % 3)]));

/** Returns an area of km cells with so many cells each. */
function areaOf(id: number, cells: readonly number[]): Place {
  const parts = cells.map((count, index): Place => {
    const km = gridId(5300 + 2 * id - 2 * 1301 + index);
    const within = [0, 250, 500, 750].slice(0, count);
    return {
      level: "grid_1000m",
      id: km,
      parent: id,
      parts: within.map((east): Place => ({ level: "grid_250m", id: km + east * 1e7, parent: id, parts: [] })),
    };
  });
  return { level: "admin_level_4", id, parent: VILNIUS, parts };
}

/** Returns the id of the km cell so many kilometres east. */
function gridId(east: number): number {
  return east * 1000 * 1e7 + 3_613_000;
}

/** Finest first. */
const PLACES = PLANTED_LEVELS.flatMap((level) => AREAS.flatMap(within).filter((place) => place.level === level));

function within(place: Place): Place[] {
  return [place, ...place.parts.flatMap(within)];
}

/**
 * Loads a drawn day in which most places have a few devices more than their busiest hour or largest part, days before hours. Returns what was
 * delivered, what an attacker sees of it in exports, and how many rows of the day were published before its hours.
 */
export async function loadPlantedDay(): Promise<{ delivered: DeliveredDay; attacked: AttackedDay; early: number }> {
  await importRows("geographies", [
    "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat",
    ...PLACES.map(({ level, id, parent }) => `${COUNTRY},${level},${id},planted,${parent},25.28,54.69`),
  ]);
  const delivered = drawnDay();
  const customer = await newTokenHolder({ countries: [COUNTRY], defaultCountry: COUNTRY });
  const people = (level: Level, activityType: Bucket) =>
    exportedValues(customer, { activity_type: activityType, geo_type: level, ...WINDOW }, "sum_unique_people");
  await importRows("activities_daily", linesOf(delivered.daily));
  const early = (await people("grid_250m", "daily")).size;
  await importRows("activities_hourly", linesOf(delivered.hourly));
  return { delivered, attacked: attackedDay(delivered, PLANTED_RULES, await publishedNumbers(people, PLANTED_LEVELS)), early };
}

function linesOf(rows: readonly DeliveredRow[]): string[] {
  return [
    "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices",
    ...rows.map(({ place, bucket, people, devices }) => {
      const [level = "", id] = place.split("/");
      return `${COUNTRY},${LEVELS[Number(level)]},${id},${bucket},${people},0,0,0,${devices}`;
    }),
  ];
}

/** Draws devices that are possible: a place has at least those of each part and each hour, and at most those of all. */
function drawnDay(): DeliveredDay {
  const chance = chanceOf(SEED);
  /** Mostly few devices more than at least, sometimes as many as possible. */
  const draw = (least: readonly number[], most: readonly number[]): number =>
    Math.min(chance.oneIn(3) ? Number.POSITIVE_INFINITY : Math.max(0, ...least) + chance.whole(0, 6), ...most);
  const hours = HOURS.map((bucket) => ({ bucket, devices: new Map<string, number>() }));
  const day = new Map<string, number>();
  for (const { level, id, parts } of PLACES) {
    const name = placeOf(level, id);
    const ofParts = (devices: ReadonlyMap<string, number>): number[] => parts.map((part) => devices.get(placeOf(part.level, part.id)) ?? 0);
    for (const { devices } of hours)
      devices.set(name, parts.length === 0 ? chance.pick(DEVICES) : draw(ofParts(devices), [sum(ofParts(devices))]));
    const ofHours = hours.map(({ devices }) => devices.get(name) ?? 0);
    const dayOfParts = ofParts(day);
    day.set(name, draw([...ofHours, ...dayOfParts], [sum(ofHours), ...(parts.length === 0 ? [] : [sum(dayOfParts)])]));
  }
  const places = placesOf(
    PLACES.map(({ level, id, parent }) => ({ geo_type: level, geo_id: id, parent_id: parent })),
    0,
  );
  return { places, hourly: hours.flatMap(({ bucket, devices }) => rowsOf(bucket, devices)), daily: rowsOf(DAY, day) };
}

function rowsOf(bucket: string, devices: ReadonlyMap<string, number>): DeliveredRow[] {
  return PLACES.flatMap(({ level, id }) => {
    const place = placeOf(level, id);
    const count = devices.get(place) ?? 0;
    const people = peopleOf(count, PLANTED_RULES);
    return count === 0 ? [] : [{ bucket, place, devices: count, people }];
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

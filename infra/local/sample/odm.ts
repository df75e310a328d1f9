import { COUNTRIES } from "./calendar.ts";
import { constants, double, textList, uniform } from "./literals.ts";
import { finestOf, LEVELS, type Level, SAMPLE_COUNTRIES, type SampleCountry } from "./rules.ts";

/** The Earth's radius for great-circle distances, metres. */
const EARTH_RADIUS = 6371008.8;
/** A coarser pair consists of finer pairs. Of the devices beyond those of the busiest one, the tenths that travel in one pair only. */
const IN_ONE_PART = 9;

/** The statement that makes the table that the statements below fill. */
export const TRIPS_TABLE = `CREATE TEMP TABLE sample_trips
  (day INTEGER, origin INTEGER, destination INTEGER, trips INTEGER, devices INTEGER)`;

/**
 * Returns the statements that fill `sample_trips` with the finished days from `first` to `last`: the pairs of the finest level
 * (`sample_pairs`), then those of each coarser level.
 */
export function tripStatements(first: number, last: number): string[] {
  const coarser = coarserPairs().map(([from, to, countries]) => coarserTrips(from, to, countries));
  return ["TRUNCATE sample_trips", finestTrips(first, last), ...coarser];
}

/**
 * Returns the statement that fills the trips of the finest level. Bits of the hash of pair and day decide the noise, the rounding, and how
 * often a device makes the trip.
 */
function finestTrips(first: number, last: number): string {
  const days = `SELECT country, day, CASE isodow(batch_date) WHEN 7 THEN 410 WHEN 6 THEN 500 WHEN 5 THEN 980 ELSE 1024 END AS commuting,
      CASE isodow(batch_date) WHEN 7 THEN 860 WHEN 6 THEN 1024 ELSE 940 END AS living
    FROM sample_days WHERE finished AND day BETWEEN ${first} AND ${last}`;
  const drawn = `SELECT day, origin, destination, people_of_thousand, (local * living + commute * commuting)::BIGINT AS expected, hash(key + day) AS bits
    FROM sample_pairs JOIN (${days}) USING (country) JOIN ${COUNTRIES} USING (country)`;
  const counted = `SELECT *, ((expected * (896 + (bits & 255)::BIGINT) + ((bits >> 8) & 1048575)::BIGINT) >> 20)::INTEGER AS devices FROM (${drawn})`;
  return `INSERT INTO sample_trips SELECT day, origin, destination,
    (devices::BIGINT * people_of_thousand * (1024 + ((bits >> 32) & 255)::BIGINT) // 1024000)::INTEGER, devices
  FROM (${counted}) WHERE devices > 0`;
}

/** Returns the statement that gives a coarser pair the trips of all its finest pairs. */
function coarserTrips(from: Level, to: Level, countries: readonly SampleCountry[]): string {
  const finest = constants(
    "finest",
    ["country", "cells"],
    countries.map(({ code, odm }) => [code, finestOf(odm)]),
  );
  const within = (level: Level): string =>
    `(SELECT DISTINCT country, CASE cells WHEN 'grid_250m' THEN grid_250m ELSE grid_1000m END AS part, ${level} AS whole FROM sample_nesting JOIN ${finest} USING (country))`;
  const parts = `SELECT day, o.whole AS origin, d.whole AS destination, sum(trips)::INTEGER AS trips, max(devices) AS most, sum(devices)::INTEGER AS total
    FROM sample_trips JOIN ${within(from)} AS o ON o.part = origin JOIN ${within(to)} AS d ON d.part = destination
    GROUP BY day, o.whole, d.whole`;
  return `INSERT INTO sample_trips SELECT day, origin, destination, trips, most + ((total - most) * ${IN_ONE_PART}) // 10 FROM (${parts})`;
}

/**
 * Returns the pairs of types above the finest that countries offer: pairs of one type, and admin_level_2 with admin_level_4 where the
 * country allows mixed pairs.
 */
function coarserPairs(): [Level, Level, SampleCountry[]][] {
  const same = LEVELS.map((level): [Level, Level] => [level, level]);
  const mixed: [Level, Level][] = [
    ["admin_level_2", "admin_level_4"],
    ["admin_level_4", "admin_level_2"],
  ];
  return [...same, ...mixed]
    .map(([from, to]): [Level, Level, SampleCountry[]] => [
      from,
      to,
      SAMPLE_COUNTRIES.filter(
        ({ odm, mixedPairs }) => odm.includes(from) && odm.includes(to) && finestOf(odm) !== from && (from === to || mixedPairs),
      ),
    ])
    .filter(([, , countries]) => countries.length > 0);
}

/**
 * Returns the statement that copies the generated rows into a table with the rows of `intake.odm_daily`, in the order of its
 * clusters.
 */
export function tripsInsert(seed: number, into: string): string {
  const withSpeed = textList(SAMPLE_COUNTRIES.filter(({ speed }) => speed).map(({ code }) => code));
  const halfChord = `pow(sin(radians(d.lat - o.lat) / 2), 2) + cos(radians(o.lat)) * cos(radians(d.lat)) * pow(sin(radians(d.lon - o.lon) / 2), 2)`;
  const speed = `round((6 + 44 * metres / (metres + 9000)) * (${double(0.8)} + ${double(0.4)} * ${uniform(seed, "origin_geo_id", "destination_geo_id", "rows.day")}), 1)`;
  const rows = `SELECT day, o.country, o.geo_type AS origin_geo_type, o.geo_id AS origin_geo_id, d.geo_type AS destination_geo_type, d.geo_id AS destination_geo_id,
      origin, destination, trips, devices, round(${double(2 * EARTH_RADIUS)} * asin(sqrt(${halfChord})), 1) AS metres
    FROM sample_trips JOIN sample_places AS o ON o.place = origin JOIN sample_places AS d ON d.place = destination`;
  return `INSERT INTO ${into} (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices,
    average_speed_kmh)
  SELECT country, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices,
    CASE WHEN country IN ${withSpeed} THEN ${speed} END
  FROM (${rows}) AS rows JOIN sample_days USING (country, day) ORDER BY rows.day, origin, destination_geo_id, destination`;
}

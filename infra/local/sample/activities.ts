import { COUNTRIES } from "./calendar.ts";
import { offered } from "./places.ts";
import { finestOf, LEVELS, SAMPLE_COUNTRIES } from "./rules.ts";

/**
 * For each level, the tenths of the devices beyond those of the busiest part that are in one part only. Less than ten tenths make a level's
 * unique devices fewer than the sum of its parts.
 */
const IN_ONE_PART = [0, 9, 8, 7];
/** The hundredths of the devices beyond those of the busiest hour that are new that day. */
const NEW_IN_DAY = 16;

/** The levels at which some country's activities begin. */
const FINEST = new Set(SAMPLE_COUNTRIES.map(({ activities }) => LEVELS.indexOf(finestOf(activities))));

const COLUMNS =
  "level TINYINT, place INTEGER, day INTEGER, hour INTEGER, devices INTEGER, stays_count INTEGER, dwell INTEGER, stays_devices INTEGER";

/**
 * Returns the statements that make the tables for the statements below: the rows being generated, the places with activities, and the place
 * that contains each of them.
 */
export function activityTables(): string[] {
  const parents = LEVELS.slice(1).map(
    (level, index) => `SELECT DISTINCT ${LEVELS[index]} AS place, ${level} AS parent FROM sample_nesting`,
  );
  return [
    `CREATE TEMP TABLE sample_hourly (${COLUMNS})`,
    `CREATE TEMP TABLE sample_daily (${COLUMNS.replace("hour INTEGER, ", "")})`,
    `CREATE TEMP TABLE sample_active AS SELECT place, country, geo_type, geo_id, work, home, level, finest, people_of_thousand
    FROM sample_places JOIN ${offered(({ activities }) => activities)} USING (country, geo_type) JOIN ${COUNTRIES} USING (country) ORDER BY place`,
    `CREATE TEMP TABLE sample_parents AS SELECT place, parent, finest FROM (${parents.join(" UNION ALL ")}) JOIN sample_active USING (place)`,
  ];
}

/**
 * Returns the statements that fill `sample_hourly` and `sample_daily` with the days from `first` to `last`. They fill the finest level
 * first, then each level from the one below.
 */
export function activityStatements(seed: number, first: number, last: number): string[] {
  const levels = LEVELS.map((_, level) => level);
  return [
    "TRUNCATE sample_hourly",
    "TRUNCATE sample_daily",
    ...levels.flatMap((level) => [
      ...(level > 0 ? [coarserHours(level)] : []),
      ...(FINEST.has(level) ? [finestHours(level, seed, first, last)] : []),
    ]),
    ...levels.flatMap((level) => [...(level > 0 ? [coarserDays(level)] : []), ...(FINEST.has(level) ? [finestDays(level)] : [])]),
  ];
}

/**
 * Returns the statement that fills the hours of a level's finest rows. Bits of the hash of place and hour decide the noise, the rounding
 * and the stays.
 */
function finestHours(level: number, seed: number, first: number, last: number): string {
  const drawn = `SELECT place, day, hour, hash(key + hour) AS bits, (active.work * hours.work + active.home * hours.home)::BIGINT AS expected
    FROM (SELECT *, (hash(geo_id, ${seed}) >> 2)::BIGINT AS key FROM sample_active WHERE level = ${level} AND finest AND work + home > 0) AS active
    JOIN (SELECT country, day, hour, work, home FROM sample_hours WHERE day BETWEEN ${first} AND ${last}) AS hours USING (country)`;
  const counted = `SELECT place, day, hour, bits, ((expected * (896 + (bits & 255)::BIGINT) + ((bits >> 8) & 1048575)::BIGINT) >> 20)::INTEGER AS devices
    FROM (${drawn})`;
  const stayed = `SELECT *, (devices * (450 + ((bits >> 30) & 255)::INTEGER)) >> 10 AS stays_devices FROM (${counted}) WHERE devices > 0`;
  return `INSERT INTO sample_hourly SELECT ${level}, place, day, hour, devices, stays_devices + ((stays_devices * ((bits >> 40) & 127)::INTEGER) >> 9),
    stays_devices * (18 + ((bits >> 48) & 31)::INTEGER), stays_devices
  FROM (${stayed})`;
}

/** Returns the statement that fills the hours of a coarser level. The additive values are sums over all parts. */
function coarserHours(level: number): string {
  const sums = ["stays_count", "dwell", "stays_devices"].map((column) => `sum(${column})::INTEGER AS ${column}`).join(", ");
  const parts = `SELECT parent, day, hour, max(devices) AS most, sum(devices)::INTEGER AS total, ${sums}
    FROM sample_hourly JOIN sample_parents USING (place) WHERE level = ${level - 1} GROUP BY parent, day, hour`;
  return `INSERT INTO sample_hourly SELECT ${level}, parent, day, hour, most + ((total - most) * ${IN_ONE_PART[level] ?? 0}) // 10, stays_count, dwell, stays_devices
  FROM (${parts})`;
}

/**
 * Returns the statement that fills the days of a level's finest rows. A day has fewer devices than the sum of its hours, unless it has only
 * one hour.
 */
function finestDays(level: number): string {
  const stays = ["stays_count", "stays_devices"].flatMap((column) => [
    `max(${column}) AS ${column}_most`,
    `sum(${column})::INTEGER AS ${column}_total`,
  ]);
  const hours = `SELECT ${OF_DAY}, ${stays.join(", ")}, sum(dwell)::INTEGER AS dwell
    FROM ${FINISHED} WHERE hourly.level = ${level} AND finest GROUP BY place, day`;
  const counted = `SELECT *, greatest(most, least(${DAY_ESTIMATE}, total - 1)) AS devices FROM (${hours})`;
  const stayed = `SELECT *, least(devices, stays_devices_most + ((stays_devices_total - stays_devices_most) * 12) // 100) AS stays_devices FROM (${counted})`;
  const atLeast = "greatest(stays_devices, stays_count_most)";
  return `INSERT INTO sample_daily SELECT ${level}, place, day, devices, ${atLeast} + ((stays_count_total - ${atLeast}) * 40) // 100, dwell, stays_devices
  FROM (${stayed})`;
}

/**
 * Returns the statement that fills the days of a coarser level. The additive values are sums over all parts.
 */
function coarserDays(level: number): string {
  const sums = ["stays_count", "dwell", "stays_devices"].map((column) => `sum(${column})::INTEGER AS ${column}`).join(", ");
  const parts = `SELECT parent AS place, day, max(devices) AS part_most, sum(devices)::INTEGER AS part_total, ${sums}
    FROM sample_daily JOIN sample_parents USING (place) WHERE level = ${level - 1} GROUP BY parent, day`;
  const hours = `SELECT ${OF_DAY} FROM ${FINISHED} WHERE hourly.level = ${level} AND NOT finest GROUP BY place, day`;
  return `INSERT INTO sample_daily SELECT ${level}, place, day, greatest(most, part_most, least(${DAY_ESTIMATE}, part_total, total - 1)), stays_count, dwell, stays_devices
  FROM (${parts}) JOIN (${hours}) USING (place, day)`;
}

const OF_DAY = "place, day, max(devices) AS most, sum(devices)::INTEGER AS total";
const DAY_ESTIMATE = `most + ((total - most) * ${NEW_IN_DAY} + 99) // 100`;
const FINISHED =
  "sample_hourly AS hourly JOIN sample_active USING (place) JOIN (SELECT country, day FROM sample_days WHERE finished) AS finished USING (country, day)";

/** Returns the statement that copies the generated hours into a table with the rows of `intake.activities_hourly`, in the order of its clusters. */
export function hoursInsert(into: string): string {
  return insert(into, "sample_hourly", "day, place, hour", "sample_hours USING (country, hour)", "time_bucket");
}

/**
 * Returns the statement that copies the generated days into a table with the rows of `intake.activities_daily`, in the order of its
 * clusters.
 */
export function daysInsert(into: string): string {
  return insert(into, "sample_daily", "day, place", "sample_days USING (country, day)", "starts_at");
}

function insert(into: string, rows: string, order: string, times: string, bucket: string): string {
  return `INSERT INTO ${into} (country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date)
  SELECT country, geo_type, geo_id, ${bucket}, devices::BIGINT * people_of_thousand // 1000, stays_count, dwell, stays_devices, devices, batch_date
  FROM (SELECT * EXCLUDE (level) FROM ${rows} ORDER BY ${order}) JOIN sample_active USING (place) JOIN ${times}`;
}

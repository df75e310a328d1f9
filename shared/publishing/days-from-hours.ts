import { NoRow, type Statement, statement } from "../google/statement.ts";
import { countryList, loadParameters, stagedBatches } from "./batches.ts";
import { publishableActivities } from "./decide-activities.ts";
import type { Load } from "./load.ts";
import { NESTED_LEVELS } from "./nesting.ts";

/** What adds up over the hours of a day as well: a day's, less those of its published hours, would be those of the withheld ones. */
const MINUTES = "stays_dwell_minutes";
/** The columns of a day that its minutes follow from, and by which it is found. */
const DAY_COLUMNS = ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id", "devices", MINUTES];

/**
 * A query of daily activities whose minutes of stays are those of their publishable hours, where the hours of the batch are loaded; of other batches
 * they are as they came. A day none of whose hours is publishable has 0.
 * @param days a table or subquery of them under the alias `day`
 */
export function daysFromHours({ countries }: Load, columns: readonly string[], days: string): string {
  const batches = `country_code IN ${countryList(countries)} AND batch_date BETWEEN @first_date AND @last_date`;
  const minutes = `IF(hourly.country_code IS NULL, day.${MINUTES}, COALESCE(hours.minutes, 0)) AS ${MINUTES}`;
  return `SELECT ${columns.map((name) => (name === MINUTES ? minutes : `day.${name}`)).join(", ")}
  FROM ${days}
  LEFT JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM \`mobility.batches\`
    WHERE table_name = 'activities_hourly' AND ${batches}
  ) AS hourly ON hourly.country_code = day.country_code AND hourly.batch_date = day.batch_date
  LEFT JOIN (
    SELECT country_code, batch_date, geo_type, geo_id, SUM(${MINUTES}) AS minutes
    FROM \`mobility.activities_hourly\`
    WHERE ${batches} AND publishable
    GROUP BY country_code, batch_date, geo_type, geo_id
  ) AS hours
    ON hours.country_code = day.country_code AND hours.batch_date = day.batch_date
      AND hours.geo_type = day.geo_type AND hours.geo_id = day.geo_id`;
}

/** Statements that make the loaded days of the batches in a staging table follow the hours that are loaded now, as a new version of these days. */
export function recomputedDays(load: Load): string {
  const days = `(
    SELECT ${DAY_COLUMNS.map((name) => `target.${name}`).join(", ")}
    FROM \`mobility.activities_daily\` AS target
    WHERE ${stagedBatches(load, "target")}
  ) AS day`;
  const { countries } = load;
  const rows = daysFromHours(load, DAY_COLUMNS, days);
  const settled = publishableActivities({ rows, columns: DAY_COLUMNS, countries, levels: NESTED_LEVELS });
  return `MERGE \`mobility.activities_daily\` AS target
USING (
${settled}
) AS settled
ON target.batch_date BETWEEN @first_date AND @last_date AND target.country_code = settled.country_code AND target.batch_date = settled.batch_date
  AND target.geo_type = settled.geo_type AND target.geo_id = settled.geo_id
WHEN MATCHED AND target.${MINUTES} <> settled.${MINUTES} THEN
  UPDATE SET ${MINUTES} = settled.${MINUTES};

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  newest.country_code, newest.table_name, newest.batch_date, newest.tick, newest.version + 1,
  newest.row_count, newest.suppressed_count, newest.checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT *
  FROM \`mobility.batches\` AS daily
  WHERE daily.table_name = 'activities_daily' AND ${stagedBatches(load, "daily")}
  QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
) AS newest;`;
}

/** The same as a script of its own, for days and hours that two loads have put in at once, so that neither saw the other's. */
export function recomputeDaysStatement(load: Load): Statement<never> {
  return statement(NoRow, `BEGIN TRANSACTION;\n\n${recomputedDays(load)}\n\nCOMMIT TRANSACTION`, loadParameters(load));
}

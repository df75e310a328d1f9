import { NoRow, type Statement, statement } from "../google/statement.ts";
import { countryList, loadParameters, stagedBatches } from "./batches.ts";
import { publishableAreas } from "./decide-areas.ts";
import type { DaysFromHours } from "./fact-table.ts";
import { NESTED_LEVELS } from "./nesting.ts";
import type { Load } from "./staged-load.ts";

/** The key columns of a day's row, and `devices`, which decides on it. */
const DAY_COLUMNS = ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id", "devices"];

/**
 * Returns a query of days in which the rule's columns are sums over the publishable hours, for batches whose hours are loaded. Otherwise a
 * day's value minus its published hours would reveal the withheld hours. A day without publishable hours has 0. Other batches keep the
 * values of the file.
 * @param columns the columns to return
 * @param days a table or subquery of the days, under the alias `day`
 */
export function daysFromHours(
  { countries }: Pick<Load, "countries">,
  rule: DaysFromHours,
  columns: readonly string[],
  days: string,
): string {
  const batches = `country_code IN ${countryList(countries)} AND batch_date BETWEEN @first_date AND @last_date`;
  const sum = (name: string): string => `IF(hourly.country_code IS NULL, day.${name}, COALESCE(hours.${name}, 0)) AS ${name}`;
  return `SELECT ${columns.map((name) => (rule.columns.includes(name) ? sum(name) : `day.${name}`)).join(", ")}
  FROM ${days}
  LEFT JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM \`mobility.batches\`
    WHERE table_name = '${rule.hourly}' AND ${batches}
  ) AS hourly ON hourly.country_code = day.country_code AND hourly.batch_date = day.batch_date
  LEFT JOIN (
    SELECT country_code, batch_date, geo_type, geo_id, ${rule.columns.map((name) => `SUM(${name}) AS ${name}`).join(", ")}
    FROM \`mobility.${rule.hourly}\`
    WHERE ${batches} AND publishable
    GROUP BY country_code, batch_date, geo_type, geo_id
  ) AS hours
    ON hours.country_code = day.country_code AND hours.batch_date = day.batch_date
      AND hours.geo_type = day.geo_type AND hours.geo_id = day.geo_id`;
}

/** Returns statements that recompute the loaded days of the staged batches from the hours loaded now, as a new version of these days. */
export function recomputedDays(load: Load, rule: DaysFromHours): string {
  const { countries } = load;
  const columns = [...DAY_COLUMNS, ...rule.columns];
  const days = `(
    SELECT ${columns.map((name) => `target.${name}`).join(", ")}
    FROM \`mobility.${rule.daily}\` AS target
    WHERE ${stagedBatches(load, "target")}
  ) AS day`;
  const rows = daysFromHours(load, rule, columns, days);
  const recomputed = publishableAreas({ rows, columns, additive: rule.columns, countries, levels: NESTED_LEVELS });
  // A column that was added later is NULL in older rows.
  const differs = rule.columns.map((name) => `target.${name} IS NULL OR target.${name} <> recomputed.${name}`).join(" OR ");
  return `MERGE \`mobility.${rule.daily}\` AS target
USING (
${recomputed}
) AS recomputed
ON target.batch_date BETWEEN @first_date AND @last_date AND target.country_code = recomputed.country_code
  AND target.batch_date = recomputed.batch_date AND target.geo_type = recomputed.geo_type AND target.geo_id = recomputed.geo_id
WHEN MATCHED AND (${differs}) THEN
  UPDATE SET ${rule.columns.map((name) => `${name} = recomputed.${name}`).join(", ")};

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  newest.country_code, newest.table_name, newest.batch_date, newest.tick, newest.version + 1,
  newest.row_count, newest.suppressed_count, newest.checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT *
  FROM \`mobility.batches\` AS daily
  WHERE daily.table_name = '${rule.daily}' AND ${stagedBatches(load, "daily")}
  QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
) AS newest;`;
}

/** Returns the same as a separate script, for days and hours of two concurrent loads that did not see each other's rows. */
export function recomputeDaysStatement(load: Load, rule: DaysFromHours): Statement<never> {
  return statement(NoRow, `BEGIN TRANSACTION;\n\n${recomputedDays(load, rule)}\n\nCOMMIT TRANSACTION`, loadParameters(load));
}

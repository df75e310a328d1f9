import { NESTED_LEVELS } from "./nesting.ts";
import type { AreaValue } from "./publish-areas-values.ts";
import { type RawRows, rawRows } from "./raw-rows.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** Rows of areas of a table of `intake`. */
export interface AreaRows {
  readonly table: string;
  readonly countries: readonly LoadedCountry[];
  readonly values: readonly AreaValue[];
  readonly raw: RawRows;
  /** The prefix of the names of the CTEs. */
  readonly prefix: string;
  /** The table of their hours, if the rows are days. The CTE `hour_sums` has what is told of them. */
  readonly hourly: string | undefined;
}

/**
 * Returns the CTE `loaded` of the rows to decide on, with their nesting and the rules of their country. `raw_…` are the delivered values.
 * Protected rows count as finest. A km cell in several areas is left out where finer cells are offered, since area and km could be subtracted.
 */
export function loadedRows({ table, values, raw, prefix, hourly }: AreaRows): string {
  const ofHours = values.flatMap(({ hours: of }) => Object.keys(of));
  const hours = ["h.told AS hours_told", "h.largest AS base", ...ofHours.map((name) => `h.${name} AS ${name}`)];
  const columns = hourly
    ? [
        ...hours.map((column) => column.replace(/^(\S+)/, "COALESCE($1, 0)")),
        "b.hours AS hours_all",
        "b.hours - COALESCE(h.hours, 0) AS hours_absent",
      ]
    : ["0 AS base"];
  return `${prefix}loaded AS (
  SELECT
    r.country_code, r.batch_date, r.time_bucket, r.geo_type, r.geo_id,
    g.level, g.at_1, g.at_2, g.at_3, g.parts, c.k, c.step, c.device_step, c.people_of_device, c.is_protected, c.is_protected OR g.level = c.finest_level AS is_finest,
    r.devices AS n, ${[...values.map(({ column }) => `COALESCE(r.${column}, 0) AS raw_${column}`), ...columns].join(", ")}
  FROM ${rawRows(raw, table)} AS r
  JOIN rules AS c ON c.country_code = r.country_code
  JOIN \`intake.nesting\` AS g ON g.country_code = r.country_code AND g.geo_type = r.geo_type AND g.geo_id = r.geo_id
  LEFT JOIN ${withFinest(table, raw)} AS f ON f.country_code = r.country_code AND f.batch_date = r.batch_date${hourly ? hourJoins(hourly, raw) : ""}
  WHERE r.devices > 0 AND g.level >= c.finest_level
    AND (c.is_protected OR f.batch_date IS NOT NULL AND NOT (g.level = 1 AND g.at_2 IS NULL AND c.finest_level = 0)${hourly ? " AND fh.batch_date IS NOT NULL AND b.hours IS NOT NULL" : ""})
)`;
}

/** Returns a subquery of the batches with rows of the finest type that the country offers. Coarser rows are not told without them. */
function withFinest(table: string, raw: RawRows): string {
  const type = `CASE finest.finest_level ${NESTED_LEVELS.map((name, level) => `WHEN ${level} THEN '${name}'`).join(" ")} END`;
  return `(
    SELECT DISTINCT given.country_code, given.batch_date
    FROM (
      SELECT DISTINCT country_code, batch_date, geo_type
      FROM ${rawRows(raw, table)} AS delivered
      WHERE delivered.devices > 0
    ) AS given
    JOIN rules AS finest ON finest.country_code = given.country_code
    WHERE given.geo_type = ${type}
  )`;
}

/** Returns the joins of days with their hours: `b` counts the hours of the batch by type, `h` has what is told of them. */
function hourJoins(hourly: string, raw: RawRows): string {
  return `
  LEFT JOIN ${withFinest(hourly, raw)} AS fh ON fh.country_code = r.country_code AND fh.batch_date = r.batch_date
  LEFT JOIN (
    SELECT hour.country_code, hour.batch_date, hour.geo_type, COUNT(DISTINCT hour.time_bucket) AS hours
    FROM ${rawRows(raw, hourly)} AS hour
    WHERE hour.devices > 0
    GROUP BY hour.country_code, hour.batch_date, hour.geo_type
  ) AS b ON b.country_code = r.country_code AND b.batch_date = r.batch_date AND b.geo_type = r.geo_type
  LEFT JOIN hour_sums AS h
    ON h.country_code = r.country_code AND h.batch_date = r.batch_date AND h.geo_type = r.geo_type AND h.geo_id = r.geo_id`;
}

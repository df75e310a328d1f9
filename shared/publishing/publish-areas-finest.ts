import { NESTED_LEVELS } from "./nesting.ts";
import type { AreaValue } from "./publish-areas-values.ts";

/** Returns an expression for `told`: nothing below k, and of a row that exceeds its largest told part by fewer than k devices that part. */
export function snapped(devices: string): string {
  return `CASE WHEN ${devices} < k THEN 0 WHEN base > 0 AND ${devices} - base < k THEN base ELSE ${devices} END`;
}

/**
 * Returns an expression for the devices of a day that can be told: of what its told hours do not hold, no more than its other hours could hold
 * without any one of them being forced.
 */
export function cappedByHours(devices: string): string {
  const room = "(k - 1) * (hours_absent - 1)";
  return `GREATEST(base, LEAST(${devices}, hours_told + IF(LEAST(${devices} - hours_told, ${room}) >= k, ${room}, 0)))`;
}

/**
 * Returns the CTE of the rows of `intake` to decide on, with their nesting and country rules. `raw_…` are the delivered values. A km cell in
 * several areas is left out where finer cells are offered, since area and km could be subtracted.
 */
export function loadedRows(
  prefix: string,
  table: string,
  values: readonly AreaValue[],
  batches: (alias: string) => string,
  isDay: boolean,
): string {
  const finestType = `CASE c.finest_level ${NESTED_LEVELS.map((type, level) => `WHEN ${level} THEN '${type}'`).join(" ")} END`;
  const ofHours = values.filter(({ isPeople, isOfHours }) => isPeople || isOfHours).map(({ column }) => `hours_${column}`);
  const hourColumns = [
    "COALESCE(h.told, 0) AS hours_told",
    "COALESCE(h.largest, 0) AS base",
    "b.hours - COALESCE(h.hours, 0) AS hours_absent",
    ...ofHours.map((name) => `COALESCE(h.${name}, 0) AS ${name}`),
  ];
  const hourJoins = `
  LEFT JOIN hour_counts AS b ON b.country_code = r.country_code AND b.batch_date = r.batch_date AND b.geo_type = r.geo_type
  LEFT JOIN hour_sums AS h
    ON h.country_code = r.country_code AND h.batch_date = r.batch_date AND h.geo_type = r.geo_type AND h.geo_id = r.geo_id`;
  return `${prefix}loaded AS (
  SELECT
    r.country_code, r.batch_date, r.time_bucket, r.geo_type, r.geo_id,
    g.level, g.at_1, g.at_2, g.at_3, g.parts, c.k, c.step, c.is_protected, g.level = c.finest_level AS is_finest,
    r.devices AS n, ${values.map(({ column }) => `COALESCE(r.${column}, 0) AS raw_${column}`).join(", ")},
    ${isDay ? hourColumns.join(", ") : "0 AS base"}
  FROM \`intake.${table}\` AS r
  JOIN rules AS c ON c.country_code = r.country_code
  JOIN \`intake.nesting\` AS g ON g.country_code = r.country_code AND g.geo_type = r.geo_type AND g.geo_id = r.geo_id
  LEFT JOIN (
    SELECT DISTINCT r.country_code, r.batch_date
    FROM \`intake.${table}\` AS r
    JOIN rules AS c ON c.country_code = r.country_code
    WHERE ${batches("r")}
      AND r.geo_type = ${finestType}
  ) AS f ON f.country_code = r.country_code AND f.batch_date = r.batch_date${isDay ? hourJoins : ""}
  WHERE ${batches("r")}
    AND r.devices > 0 AND g.level >= c.finest_level
    AND (c.is_protected OR f.batch_date IS NOT NULL${isDay ? " AND b.hours IS NOT NULL" : ""} AND NOT (g.level = 1 AND g.at_2 IS NULL AND c.finest_level = 0))
)`;
}

/** Returns the CTEs of the decided finest rows: the last one is `finest`. A finest row is told from k devices. */
export function finestRows(prefix: string, values: readonly AreaValue[], isDay: boolean): string {
  const exact = values.flatMap((value) => (value.exact === undefined ? [] : [`${value.exact} AS exact_${value.column}`]));
  const capped = `${prefix}finest_capped AS (
  SELECT *, ${isDay ? cappedByHours("GREATEST(base, n)") : "n"} AS capped
  FROM ${prefix}loaded
  WHERE is_finest AND NOT is_protected
)`;
  return `${capped},
${prefix}finest_told AS (
  SELECT *, ${snapped("capped")} AS told
  FROM ${prefix}finest_capped
),
${prefix}finest_exact AS (
  SELECT ${["*", ...exact].join(", ")}
  FROM ${prefix}finest_told
),
${prefix}finest AS (
  SELECT *, ${values.map(({ column, finest }) => `${finest} AS out_${column}`).join(",\n    ")}
  FROM ${prefix}finest_exact
)`;
}

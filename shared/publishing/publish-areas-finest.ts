import type { AreaRows } from "./publish-areas-loaded.ts";
import type { AreaValue } from "./publish-areas-values.ts";

/**
 * Returns an expression for `told`: nothing below k, and never fewer than the largest told part (`base`). A row that exceeds this part by fewer
 * than k devices tells no more than the part.
 */
export function snapped(devices: string): string {
  return `CASE WHEN base > 0 AND ${devices} - base < k THEN base WHEN ${devices} < k THEN 0 ELSE ${devices} END`;
}

/**
 * Returns an expression for the devices of a day that can be told: of what its told hours do not hold, no more than its other hours could hold
 * without any one of them being forced.
 */
export function cappedByHours(devices: string): string {
  const room = "(k - 1) * (hours_absent - 1)";
  return `LEAST(${devices}, hours_told + IF(LEAST(${devices} - hours_told, ${room}) >= k, ${room}, 0))`;
}

/** Returns the CTEs of the finest rows, which are told from k devices. The last one is `finest`: it has all rows, also those to decide on. */
export function finestRows({ prefix, values, hourly }: AreaRows): string {
  const exact = values.flatMap((value) => (value.exact === undefined ? [] : [`${value.exact} AS exact_${value.column}`]));
  const out = ({ column, finest }: AreaValue): string =>
    `CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_${column} ELSE ${finest} END AS out_${column}`;
  return `${prefix}finest_capped AS (
  SELECT *, ${hourly ? cappedByHours("n") : "n"} AS capped
  FROM ${prefix}loaded
),
${prefix}finest_told AS (
  SELECT *, CASE WHEN NOT is_finest THEN 0 WHEN is_protected THEN IF(n < k, 0, n) ELSE ${snapped("capped")} END AS told
  FROM ${prefix}finest_capped
),
${prefix}finest_exact AS (
  SELECT ${["*", ...exact].join(", ")}
  FROM ${prefix}finest_told
),
${prefix}finest AS (
  SELECT *, ${values.map(out).join(",\n    ")}
  FROM ${prefix}finest_exact
)`;
}

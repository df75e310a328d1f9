import { NESTED_LEVELS } from "./nesting.ts";
import type { AreaRows } from "./publish-areas-loaded.ts";
import { type AreaValue, cappedByHours } from "./publish-areas-values.ts";

/** The columns that identify a row, and the geographies around it. */
const ROW = ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id", "at_1", "at_2", "at_3"];

/** The level from which a row takes part in coarser rows, see `finestRows`. */
const ENTERS = `CASE WHEN is_protected THEN ${NESTED_LEVELS.length} WHEN is_finest THEN level + 1 ELSE level END`;

/**
 * Returns an expression for `told`: nothing below k, and never fewer than the largest told part (`base`). A row that exceeds this part by fewer
 * than k devices tells no more than the part.
 */
export function snapped(devices: string): string {
  return `CASE WHEN base > 0 AND ${devices} - base < k THEN base WHEN ${devices} < k THEN 0 ELSE ${devices} END`;
}

/**
 * Returns the CTEs of the finest rows, which are told from k devices. The last one is `finest`: it has all rows, also those to decide on. Its
 * level is 0 for a finest row, whatever its type; it takes part in coarser rows from the level `enters` on, and a protected row in none. `finest`
 * is read several times, so it has no other columns than those that are needed.
 */
export function finestRows(rows: AreaRows): string {
  const { prefix, values, hourly } = rows;
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
  SELECT
    ${[...ROW, "IF(is_finest, 0, level) AS level", `${ENTERS} AS enters`, "told", ...ownColumns(rows)].join(", ")},
    ${values.map(out).join(",\n    ")}
  FROM ${prefix}finest_exact
)`;
}

/** Returns the columns of a row that deciding on it needs: its own devices, people and hours, and how many parts its geography has. */
export function ownColumns({ values, hourly }: AreaRows): string[] {
  const people = values.flatMap(({ column, isPeople }) => (isPeople ? [column] : []));
  const ofHours = people.flatMap((column) => [`hours_${column}`, `hours_sum_${column}`]);
  const hours = hourly ? ["base", "hours_told", "hours_absent", "hours_all", ...ofHours] : [];
  return ["n", "parts", ...people.map((column) => `raw_${column}`), ...hours];
}

import { NESTED_LEVELS } from "./nesting.ts";
import { cappedByHours, snapped } from "./publish-areas-finest.ts";
import { type AreaValue, peopleNumber } from "./publish-areas-values.ts";

const KEY = ["country_code", "batch_date", "time_bucket"];
/** The levels that have parts: the indexes of the types after the finest. */
const COARSER = NESTED_LEVELS.map((_, level) => level).slice(1);
const at = (level: number): string[] => COARSER.filter((other) => other >= level).map((other) => `at_${other}`);

/**
 * Returns the CTEs that decide coarser rows, level by level from the finest rows, and `told`: all told rows.
 *
 * Each level starts from rows that are decided, the pieces, and from coarser rows that are not. Grouping puts a row of the level and its
 * pieces into one. Pieces whose row is missing stay together until a coarser one takes them up.
 */
export function coarserRows(prefix: string, values: readonly AreaValue[], isDay: boolean): string {
  const branches = COARSER.map(
    (level) => `SELECT ${[...KEY, `'${NESTED_LEVELS[level]}' AS geo_type`, `at_${level} AS geo_id`, "told"].join(", ")},
    ${values.map(({ column, coarser }) => `${coarser} AS out_${column}`).join(", ")}
  FROM ${prefix}decided_${level}
  WHERE level = ${level} AND told > 0`,
  );
  return `${pieces(prefix, values, isDay)},
${COARSER.map((level) => decided(prefix, level, values, isDay)).join(",\n")},
${prefix}told AS (
  SELECT ${[...KEY, "geo_type", "geo_id", "told"].join(", ")}, ${values.map(({ column }) => `out_${column}`).join(", ")}
  FROM ${prefix}finest
  WHERE told > 0
  UNION ALL
  ${branches.join("\n  UNION ALL\n  ")}
)`;
}

/** The columns of a row that is not decided: its own devices, people and hours, and how many parts its geography has. */
function ownColumns(values: readonly AreaValue[], isDay: boolean): string[] {
  const people = values.filter(({ isPeople }) => isPeople).map(({ column }) => column);
  const hours = isDay ? ["hours_told", "hours_absent", ...people.map((column) => `hours_${column}`)] : [];
  return ["n", "parts", "base", ...people.map((column) => `raw_${column}`), ...hours];
}

function carriedColumns(values: readonly AreaValue[]): [name: string, expression: string][] {
  return values.flatMap(({ carried }) => Object.entries(carried));
}

/** The CTE `decided_0`: finest rows as pieces, and coarser rows without any. */
function pieces(prefix: string, values: readonly AreaValue[], isDay: boolean): string {
  const own = ownColumns(values, isDay);
  const carried = carriedColumns(values);
  return `${prefix}decided_0 AS (
  SELECT ${[...KEY, ...at(1), "0 AS level", "k", "step", ...own].join(", ")},
    told, told AS largest, GREATEST(n - told, 0) AS missing, IF(told > 0, 1, 0) AS sealed,
    ${carried.map(([name, expression]) => `${expression} AS ${name}`).join(", ")}
  FROM ${prefix}finest
  UNION ALL
  SELECT ${[...KEY, ...at(1), "level", "k", "step", ...own].join(", ")},
    0, 0, 0, 0,
    ${carried.map(() => "0").join(", ")}
  FROM ${prefix}loaded
  WHERE NOT is_finest AND NOT is_protected
)`;
}

/** The CTEs that decide the rows of one level. Pieces and rows of coarser levels stay as they are. */
function decided(prefix: string, level: number, values: readonly AreaValue[], isDay: boolean): string {
  const people = values.filter(({ isPeople }) => isPeople).map(({ column }) => column);
  const added = carriedColumns(values).map(([name]) => name);
  const isMax = (name: string): boolean => people.some((column) => name === `out_${column}`);
  const own = ownColumns(values, isDay).map((name) => `MAX(IF(level >= ${level}, ${name}, NULL)) AS ${name}`);
  const number = (column: string): string =>
    peopleNumber(`raw_${column}`, isDay ? `GREATEST(out_${column}, hours_${column})` : `out_${column}`);
  return `${prefix}grouped_${level} AS (
  SELECT ${[...KEY, ...at(level), "MAX(level) AS level", "MAX(k) AS k", "MAX(step) AS step", ...own].join(", ")},
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    ${added.map((name) => `${isMax(name) ? "MAX" : "SUM"}(${name}) AS ${name}`).join(", ")}
  FROM ${prefix}decided_${level - 1}
  GROUP BY ${[...KEY, ...at(level)].join(", ")}
),
${prefix}hidden_${level} AS (
  SELECT * REPLACE (GREATEST(base, largest) AS base), GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM ${prefix}grouped_${level}
),
${prefix}cut_${level} AS (
  SELECT *, GREATEST(base, IF(LEAST(hidden, room) >= k, LEAST(n, told_parts + room), n - hidden)) AS cut
  FROM ${prefix}hidden_${level}
),
${prefix}capped_${level} AS (
  SELECT *, ${isDay ? cappedByHours("cut") : "cut"} AS capped
  FROM ${prefix}cut_${level}
),
${prefix}snapped_${level} AS (
  SELECT *, IF(level = ${level}, ${snapped("capped")}, told_parts) AS told
  FROM ${prefix}capped_${level}
),
${prefix}decided_${level} AS (
  SELECT * EXCEPT (told_parts, hidden, room, cut, capped) REPLACE (
    ${[
      `IF(level = ${level}, told, largest) AS largest`,
      `IF(level = ${level}, GREATEST(n - told, 0), missing) AS missing`,
      `IF(level = ${level}, IF(told > 0 AND (parts <= sealed OR LEAST(hidden, room) >= k), 1, 0), sealed) AS sealed`,
      ...people.map((column) => `IF(level = ${level}, ${number(column)}, out_${column}) AS out_${column}`),
    ].join(",\n    ")}
  )
  FROM ${prefix}snapped_${level}
)`;
}

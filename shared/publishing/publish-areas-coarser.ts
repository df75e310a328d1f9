import { type LoadedRule, ruleOf } from "./batches.ts";
import { NESTED_LEVELS } from "./nesting.ts";
import { ownColumns, snapped } from "./publish-areas-finest.ts";
import type { AreaRows } from "./publish-areas-loaded.ts";
import { type AreaValue, cappedByHours, mostBeside, mostOfHours, mostPublishedAs, peopleNumber } from "./publish-areas-values.ts";

const KEY = ["country_code", "batch_date", "time_bucket"];
/** The levels that have parts: the indexes of the types after the finest. */
const COARSER = NESTED_LEVELS.map((_, level) => level).slice(1);
const at = (level: number): string[] => COARSER.filter((other) => other >= level).map((other) => `at_${other}`);

/**
 * Returns the CTEs that decide coarser rows, level by level from `finest`, and `told`: all told rows.
 *
 * A level starts from pieces, which are decided, and from its own rows, which are not. It puts each row and the pieces within it into one row,
 * and decides it: a new piece. Pieces whose row is missing stay together until a coarser row takes them up.
 */
export function coarserRows(rows: AreaRows): string {
  const { prefix, values } = rows;
  const branches = COARSER.map(
    (level) => `SELECT ${[...KEY, `'${NESTED_LEVELS[level]}' AS geo_type`, `at_${level} AS geo_id`, "told"].join(", ")},
    ${values.map(({ column, coarser }) => `${coarser} AS out_${column}`).join(", ")}
  FROM ${prefix}decided_${level}
  WHERE level = ${level} AND told > 0`,
  );
  return `${COARSER.map((level) => decided(rows, level)).join(",\n")},
${prefix}told AS (
  SELECT ${[...KEY, "geo_type", "geo_id", "told", ...values.map(({ column }) => `out_${column}`)].join(", ")}
  FROM ${prefix}finest
  WHERE told > 0
  UNION ALL
  ${branches.join("\n  UNION ALL\n  ")}
)`;
}

function peopleOf(values: readonly AreaValue[]): string[] {
  return values.filter(({ isPeople }) => isPeople).map(({ column }) => column);
}

/** Returns the expressions of the rules of a row's country, as columns. */
function rulesOfRow(countries: AreaRows["countries"], ...rules: readonly LoadedRule[]): string[] {
  return rules.map((rule) => `${ruleOf(countries, rule, "country_code")} AS ${rule}`);
}

/** Returns a query of the rows of `finest` that take part from a level on: finest rows as pieces, and coarser rows without any. */
function entering(rows: AreaRows, level: number): string {
  const { prefix, values, hourly, countries } = rows;
  const most = (column: string): string => {
    const published = mostPublishedAs(`out_${column}`);
    return `IF(told = 0, 0, ${hourly ? `LEAST(${published}, ${mostOfHours(column)})` : published}) AS most_${column}`;
  };
  const carried = [
    ...values.flatMap((value) => Object.entries(value.carried)).map(([name, from]) => `${from} AS ${name}`),
    ...peopleOf(values).map(most),
  ];
  return `SELECT ${[...KEY, ...at(level), "level", ...ownColumns(rows)].join(", ")},
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      ${carried.join(", ")}
    FROM (
      SELECT ${["*", ...rulesOfRow(countries, "step", "people_of_device")].join(", ")}
      FROM ${prefix}finest
    ) AS finest
    WHERE enters = ${level}`;
}

/** The CTEs that decide the rows of one level. Pieces without a row stay as they are. */
function decided(rows: AreaRows, level: number): string {
  const { prefix, values, hourly, countries } = rows;
  const people = peopleOf(values);
  const isMaximum = (name: string): boolean => people.some((column) => name === `out_${column}`);
  const carried = [...values.flatMap((value) => Object.keys(value.carried)), ...people.map((column) => `most_${column}`)];
  const sums = carried.map((name) => `${isMaximum(name) ? "MAX" : "SUM"}(${name}) AS ${name}`);
  const own = ownColumns(rows);
  const before = [...KEY, ...at(level), "level", ...own, "told", "largest", "missing", "sealed", ...carried].join(", ");
  const largest = (column: string): string => (hourly ? `GREATEST(out_${column}, hours_${column})` : `out_${column}`);
  const most = (column: string): string[] => [mostBeside(`most_${column}`, "told_parts"), ...(hourly ? [mostOfHours(column)] : [])];
  const steps = ["told_parts", "hidden", "room", "kept", "cut", "capped", ...(hourly ? [] : ["base"])];
  const dropped = ["k", "step", "people_of_device", ...steps, ...people.map((column) => `number_${column}`)];
  return `${prefix}grouped_${level} AS (
  SELECT ${[...KEY, ...at(level), "MAX(level) AS level", ...rulesOfRow(countries, "k", "step", "people_of_device"), ...own.map((name) => `MAX(IF(level = ${level}, ${name}, NULL)) AS ${name}`)].join(", ")},
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    ${sums.join(", ")}
  FROM (
    ${[...(level > 1 ? [`SELECT ${before} FROM ${prefix}decided_${level - 1}`] : []), entering(rows, level)].join("\n    UNION ALL\n    ")}
  ) AS given
  GROUP BY ${[...KEY, ...at(level)].join(", ")}
),
${prefix}hidden_${level} AS (
  SELECT ${hourly ? "* REPLACE (GREATEST(base, largest) AS base)" : "*, largest AS base"}, GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM ${prefix}grouped_${level}
),
${prefix}kept_${level} AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM ${prefix}hidden_${level}
),
${prefix}cut_${level} AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM ${prefix}kept_${level}
),
${prefix}capped_${level} AS (
  SELECT *, ${hourly ? cappedByHours("cut") : "cut"} AS capped
  FROM ${prefix}cut_${level}
),
${prefix}told_${level} AS (
  SELECT *, IF(level = ${level}, ${snapped("capped")}, told_parts) AS told
  FROM ${prefix}capped_${level}
),
${prefix}numbered_${level} AS (
  SELECT ${["*", ...people.map((column) => `IF(told = 0, 0, ${peopleNumber(`raw_${column}`, largest(column), ...most(column))}) AS number_${column}`)].join(", ")}
  FROM ${prefix}told_${level}
),
${prefix}decided_${level} AS (
  SELECT * EXCEPT (${dropped.join(", ")}) REPLACE (
    ${[
      `IF(level = ${level}, told, largest) AS largest`,
      `IF(level = ${level}, GREATEST(n - told, 0), missing) AS missing`,
      `IF(level = ${level}, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed`,
      ...people.map((column) => `IF(level = ${level}, number_${column}, out_${column}) AS out_${column}`),
      ...people.map(
        (column) =>
          `IF(level = ${level} AND told > 0, LEAST(${[mostPublishedAs(`number_${column}`), ...most(column)].join(", ")}), most_${column}) AS most_${column}`,
      ),
    ].join(",\n    ")}
  )
  FROM ${prefix}numbered_${level}
)`;
}

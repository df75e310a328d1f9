import { levelOf, nestingJoins, threshold } from "./nesting.ts";
import type { Load } from "./staged-load.ts";

/** The columns that identify a row of the nesting, besides its level and geographies. */
const KEY = ["country_code", "batch_date", "time_bucket"];

/** The rows of areas to decide on. */
interface Areas extends Pick<Load, "countries" | "levels"> {
  /** A query of the rows, in complete batches. */
  readonly rows: string;
  /** The columns to return. They include `devices` and the key columns. */
  readonly columns: readonly string[];
  /** The names of additive columns: their values add up over geographies. Names that are not in `columns` are ignored. */
  readonly additive: readonly string[];
}

/**
 * Returns a query of the rows with `publishable` decided from the finest level up, and additive values that reveal no more than the finest
 * level.
 *
 * A row below k is withheld. A coarser row is also withheld if its hidden parts have more than 0 and fewer than k devices. Hidden parts are
 * withheld parts that no published row in between covers. If no part is hidden, the devices that the row has beyond all its parts count as
 * hidden: the file leaves those parts out. A cell in several areas is withheld if this holds within any of them, since areas and cells can
 * be subtracted.
 *
 * An additive value of a row with parts in its batch is the sum over its publishable parts that have no parts themselves.
 */
export function publishableAreas(areas: Areas): string {
  const { rows, columns, countries, levels } = areas;
  const [, ...coarser] = levels;
  const names = columns.join(", ");
  const alone = `SELECT ${names}, devices >= ${threshold(countries, "own")} AS publishable\n  FROM own`;
  if (coarser.length === 0) return `WITH own AS (\n  ${rows}\n)\n${alone}`;
  const steps = coarser.map((_, index) => step(index + 1, coarser.length, additiveOf(areas)));
  return `WITH own AS (
  ${rows}
),
${places(areas, coarser)},
${steps.join(",\n")}
SELECT ${names}, publishable
FROM (
  ${alone}
  WHERE geo_type NOT IN (${quoted(coarser)})
  UNION ALL
  SELECT ${names}, publishable
  FROM decided_${coarser.length}
  WHERE level > 0
)`;
}

/**
 * Returns the CTEs up to `decided_0`: the coarser rows, and the finest rows summed by their geographies at all coarser levels (`at_1` and
 * so on). In rows of level 0, `listed` is the devices of all parts and `hidden` those of the withheld parts. Coarser rows sum the additive
 * values of rows with `counted`.
 */
function places({ columns, countries, levels, ...areas }: Areas, coarser: readonly string[]): string {
  const { joins, ids } = nestingJoins("own", "");
  const at = coarser.map((_, index) => `at_${index + 1}`);
  const sums = additiveOf({ ...areas, columns });
  const others = columns.filter((name) => !KEY.includes(name) && !sums.includes(name));
  return `placed AS (
  SELECT
    own.*, ${threshold(countries, "own")} AS k, ${levelOf("own.geo_type", levels)} AS level,
    ${coarser.map((level, index) => `${ids[level]} AS at_${index + 1}`).join(",\n    ")}
  FROM own
  ${joins}
  WHERE own.geo_type IN (${quoted(levels)})
),
decided_0 AS (
  SELECT
    ${[...KEY, "level", "k", ...at].join(", ")},
    ${others.map((name) => `ANY_VALUE(${name}) AS ${name}`).join(", ")},
    ${sums.map((name) => `SUM(IF(level > 0 OR devices >= k, ${name}, 0)) AS ${name}`).join(", ")},
    level = 0 AS counted, FALSE AS publishable,
    SUM(IF(level = 0, devices, 0)) AS listed, SUM(IF(level = 0 AND devices < k, devices, 0)) AS hidden
  FROM placed
  GROUP BY ${[...KEY, "level", "k", ...at].join(", ")}
)`;
}

/**
 * Returns the CTEs that decide the rows of one level. Each row reads the row of that level around it (`around_…`), the sums of that row's
 * parts (`parts_…`) and what they leave hidden. A decided row then replaces its parts, except for a cell that straddles areas of the next
 * level: its parts stay separate.
 */
function step(level: number, last: number, sums: readonly string[]): string {
  const around = `OVER (PARTITION BY country_code, time_bucket, at_${level})`;
  const next = `COALESCE(at_${level + 1}, -1)`;
  const seen = [
    ...["around_devices", "parts_listed", "parts_hidden", "has_weak_part", "straddles", "has_parts", "left_hidden", "around_publishable"],
    ...sums.map((name) => `parts_${name}`),
  ];
  return `around_${level} AS (
  SELECT
    *, MAX(IF(level = ${level}, devices, NULL)) ${around} AS around_devices,
    SUM(listed) ${around} AS parts_listed, SUM(hidden) ${around} AS parts_hidden,
    COUNTIF(hidden > 0 AND hidden < k) ${around} > 0 AS has_weak_part,
    ${level < last ? `MIN(${next}) ${around} <> MAX(${next}) ${around}` : "FALSE"} AS straddles,
    ${sums.map((name) => `SUM(IF(counted, ${name}, 0)) ${around} AS parts_${name}`).join(",\n    ")},
    COUNTIF(level < ${level}) OVER (PARTITION BY country_code, batch_date, at_${level}) > 0 AS has_parts
  FROM decided_${level - 1}
),
left_${level} AS (
  SELECT *, IF(parts_hidden > 0, parts_hidden, GREATEST(around_devices - parts_listed, 0)) AS left_hidden
  FROM around_${level}
),
ruled_${level} AS (
  SELECT
    *, around_devices >= k AND NOT (left_hidden > 0 AND left_hidden < k) AND NOT (straddles AND has_weak_part) AS around_publishable
  FROM left_${level}
),
decided_${level} AS (
  SELECT * EXCEPT (${seen.join(", ")}) REPLACE (
    ${sums.map((name) => `IF(level = ${level} AND has_parts, parts_${name}, ${name}) AS ${name}`).join(",\n    ")},
    IF(level = ${level}, around_publishable AND NOT has_parts, counted) AS counted,
    IF(level = ${level}, around_publishable, publishable) AS publishable,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < ${level}) THEN listed
      WHEN level < ${level} OR straddles THEN 0
      ELSE devices
    END AS listed,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < ${level} AND NOT around_publishable) THEN hidden
      WHEN level < ${level} OR straddles OR around_publishable THEN 0
      ELSE LEAST(devices, left_hidden)
    END AS hidden
  )
  FROM ruled_${level}
)`;
}

function additiveOf({ additive, columns }: Pick<Areas, "additive" | "columns">): string[] {
  return additive.filter((name) => columns.includes(name));
}

function quoted(levels: readonly string[]): string {
  return levels.map((level) => `'${level}'`).join(", ");
}

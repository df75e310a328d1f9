import { levelOf, NESTED_LEVELS, nestingJoins, threshold } from "./nesting.ts";
import type { Load } from "./staged-load.ts";

const SIDES = ["origin_", "destination_"] as const;

/**
 * Returns a query of the pairs of several levels with `publishable` and the additive values decided. A country's finest pairs of a day have
 * both ends of the finest type that occurs on both ends of a pair. They need k devices. Any other nested pair is the sum of the publishable
 * finest pairs within it, needs k devices itself, and is withheld if it contains none. The devices alone decide pairs with an end that does
 * not nest, and days without finest pairs.
 */
export function publishablePairs({ staging, columns, countries, levels }: Load, additive: readonly string[]): string {
  const values = additive.filter((name) => columns.some((column) => column.name === name));
  const [origin, destination] = SIDES.map((side) => levelOf(`staged.${side}geo_type`, levels));
  const nestings = SIDES.map((side) => nestingJoins("pairs", side));
  const batch = ["country_code", "batch_date"];
  const types = SIDES.map((side) => `${side}geo_type`);
  const ids = SIDES.map((side) => `${side}geo_id`);
  const same = (left: string, right: string, names: readonly string[]): string =>
    names.map((name) => `${left}.${name} = ${right}.${name}`).join(" AND ");
  const named = (alias: string, names: readonly string[]): string => names.map((name) => `${alias}.${name}`).join(", ");
  const within = SIDES.flatMap((side, index) => NESTED_LEVELS.map((level) => `${nestings[index]?.ids[level]} AS ${side}${level}`));
  const wantedId = (side: string): string =>
    `CASE wanted.${side}geo_type ${NESTED_LEVELS.map((level) => `WHEN '${level}' THEN parts.${side}${level}`).join(" ")} END`;
  return `WITH finest AS (
  SELECT country_code, batch_date, MIN(${origin}) AS level
  FROM \`${staging}\` AS staged
  WHERE origin_geo_type = destination_geo_type
  GROUP BY country_code, batch_date
),
pairs AS (
  SELECT
    staged.*, staged.devices >= ${threshold(countries, "staged")} AS has_devices,
    CASE
      WHEN finest.level IS NULL OR ${origin} IS NULL OR ${destination} IS NULL THEN 'alone'
      WHEN ${origin} = finest.level AND ${destination} = finest.level THEN 'finest'
      ELSE 'coarser'
    END AS standing
  FROM \`${staging}\` AS staged
  LEFT JOIN finest ON ${same("finest", "staged", batch)}
),
wanted AS (
  SELECT DISTINCT ${[...batch, ...types].join(", ")}
  FROM pairs
  WHERE standing = 'coarser'
),
parts AS (
  SELECT
    ${named("pairs", [...batch, ...values])},
    ${within.join(",\n    ")}
  FROM pairs
  ${nestings.map(({ joins }) => joins).join("\n  ")}
  WHERE pairs.standing = 'finest' AND pairs.has_devices
),
sums AS (
  SELECT
    ${named("wanted", [...batch, ...types])},
    ${SIDES.map((side) => `${wantedId(side)} AS ${side}geo_id`).join(",\n    ")},
    COUNT(*) AS parts_count${values.map((name) => `,\n    SUM(parts.${name}) AS ${name}`).join("")}
  FROM parts
  JOIN wanted ON ${same("wanted", "parts", batch)}
  GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT
  ${columns.map(({ name }) => (values.includes(name) ? `IF(pairs.standing = 'coarser', COALESCE(sums.${name}, 0), pairs.${name}) AS ${name}` : `pairs.${name}`)).join(", ")},
  pairs.has_devices AND (pairs.standing <> 'coarser' OR sums.parts_count IS NOT NULL) AS publishable
FROM pairs
LEFT JOIN sums ON ${same("sums", "pairs", [...batch, ...types, ...ids])}`;
}

import { rulesOf } from "./batches.ts";
import type { PublishedValue } from "./fact-table.ts";
import { levelOf, NESTED_LEVELS } from "./nesting.ts";
import { ownValue, type PublishedTable, publishedColumns } from "./publish-rows.ts";
import { rawRows } from "./raw-rows.ts";
import type { LoadedCountry } from "./staged-load.ts";

const SIDES = ["origin", "destination"] as const;
const TYPES = SIDES.map((side) => `${side}_geo_type`);
const ENDS = [...TYPES, ...SIDES.map((side) => `${side}_geo_id`)];
/** A coarser pair's mean is computed in whole parts of one, so that it is the same in whatever order it is summed. */
const MEAN_PARTS = 1000;

/**
 * Returns a query of the published pairs of a table, with `publishedColumns`. A pair is one of the finest if each of its ends either is of
 * the finest nested type that the country offers, or is of a type that does not nest. It is told from k devices, its sums to the nearest
 * step. Of every other pair of types in the batch, the pairs are sums of the told finest pairs with the same kinds of ends. What the batch
 * has for these is not read, so a withheld pair enters no number. Types finer than the finest offered are not published. Pairs that the
 * provider has protected have no parts: those of all types are told from k devices, as they are.
 */
export function publishedPairs({ table, countries, ...raw }: PublishedTable): string {
  const columns = publishedColumns(table);
  const values = table.publication.values.filter(({ rule }) => rule !== "distance");
  const distances = table.publication.values.flatMap(({ column, rule }) => (rule === "distance" ? [column] : []));
  const names = values.map(({ column }) => column);
  const batch = columns.filter((name) => ![...ENDS, ...names, ...distances].includes(name));
  const isPublished = SIDES.map((side) => `COALESCE(raw.${side}_level, rules.finest_level) >= rules.finest_level`).join(" AND ");
  const isCoarser = SIDES.map((side) => `raw.${side}_level > rules.finest_level`).join(" OR ");
  const isFinest = SIDES.map((side) => `COALESCE(raw.${side}_level, rules.finest_level) = rules.finest_level`).join(" AND ");
  return `WITH rules AS (
  ${rulesOf(countries)}
),
typed AS (
  SELECT raw.*, ${SIDES.map((side) => `${levelOf(`raw.${side}_geo_type`, NESTED_LEVELS)} AS ${side}_level`).join(", ")}
  FROM ${rawRows(raw, table.name)} AS raw
),
told AS (
  SELECT ${named("raw", [...batch, ...ENDS])}, ${values.map((value) => `${finestValue(value)} AS ${value.column}`).join(", ")}
  FROM typed AS raw
  JOIN rules ON rules.country_code = raw.country_code
  WHERE raw.devices >= rules.k AND ${isPublished} AND (rules.is_protected OR ${isFinest})
),
coarser AS (
  SELECT DISTINCT ${named("raw", [...batch, ...TYPES])}, ${SIDES.map(partType).join(", ")}
  FROM typed AS raw
  JOIN rules ON rules.country_code = raw.country_code
  WHERE NOT rules.is_protected AND ${isPublished} AND (${isCoarser})
),
parts AS (
  SELECT
    ${named("part", batch)}, ${named("whole", TYPES)}, ${named("part", names)},
    ${SIDES.map(wholeId).join(",\n    ")}
  FROM told AS part
  JOIN coarser AS whole ON ${batch.map((name) => `whole.${name} = part.${name}`).join(" AND ")}
    AND ${SIDES.map((side) => `whole.${side}_part_type = part.${side}_geo_type`).join(" AND ")}
  ${SIDES.map(nestingJoin).join("\n  ")}
),
pairs AS (
  SELECT ${[...batch, ...ENDS, ...names].join(", ")}
  FROM told
  UNION ALL
  SELECT ${[...batch, ...ENDS].join(", ")}, ${values.map(wholeValue).join(", ")}
  FROM parts
  WHERE origin_geo_id IS NOT NULL AND destination_geo_id IS NOT NULL
  GROUP BY ${[...batch, ...ENDS].join(", ")}
)
SELECT ${columns.map((name) => (distances.includes(name) ? `${distance(countries)} AS ${name}` : `pairs.${name}`)).join(", ")}
FROM pairs${distances.length > 0 && countries.some(hasCentroids) ? SIDES.map(centroidJoin).join("") : ""}`;
}

function named(alias: string, names: readonly string[]): string {
  return names.map((name) => `${alias}.${name}`).join(", ");
}

/**
 * Returns an expression for a told finest pair's value. Where a country offers areas beside road links, a pair of a link has no mean: with the one of its
 * cells, it would tell of the cell's other links.
 */
function finestValue(value: PublishedValue): string {
  if (value.rule !== "mean") return ownValue(value);
  const isOfLink = SIDES.map((side) => `raw.${side}_level IS NULL`).join(" OR ");
  return `IF(NOT rules.is_protected AND rules.finest_level >= 0 AND (${isOfLink}), NULL, ${ownValue(value)})`;
}

/** Returns the type of the parts of a coarser pair's end: an end that does not nest is its own part. */
function partType(side: string): string {
  const finest = NESTED_LEVELS.map((level, index) => `WHEN ${index} THEN '${level}'`).join(" ");
  return `IF(raw.${side}_level IS NULL, raw.${side}_geo_type, CASE rules.finest_level ${finest} END) AS ${side}_part_type`;
}

/** Returns the id of the coarser end that a part's end lies in; null if it lies in none. */
function wholeId(side: string): string {
  const coarser = NESTED_LEVELS.flatMap((level, index) => (index === 0 ? [] : [`WHEN '${level}' THEN ${side}.at_${index}`])).join(" ");
  return `CASE whole.${side}_geo_type WHEN part.${side}_geo_type THEN part.${side}_geo_id ${coarser} END AS ${side}_geo_id`;
}

function nestingJoin(side: string): string {
  return `LEFT JOIN \`intake.nesting\` AS ${side}
    ON ${side}.country_code = part.country_code AND ${side}.geo_type = part.${side}_geo_type AND ${side}.geo_id = part.${side}_geo_id`;
}

/** Returns the column of a coarser pair's value. The mean is weighted by published numbers. */
function wholeValue(value: PublishedValue): string {
  const { column, rule } = value;
  if (rule !== "mean") return `SUM(${column}) AS ${column}`;
  const weighted = `SUM(CAST(ROUND(${column} * ${MEAN_PARTS}) AS INT64) * ${value.over})`;
  return `ROUND(${weighted} / NULLIF(SUM(IF(${column} IS NULL, 0, ${value.over})), 0)) / ${MEAN_PARTS} AS ${column}`;
}

function centroidJoin(side: string): string {
  return `
LEFT JOIN \`mobility.geographies\` AS ${side}
  ON ${side}.country_code = pairs.country_code AND ${side}.geo_type = pairs.${side}_geo_type AND ${side}.geo_id = pairs.${side}_geo_id`;
}

function hasCentroids({ distance }: LoadedCountry): boolean {
  return distance === "centroids";
}

/** Returns the distance of a pair's centroids on BigQuery's sphere, metres. It is NULL in countries without the rule. */
function distance(countries: readonly LoadedCountry[]): string {
  const codes = countries.flatMap((country, index) => (hasCentroids(country) ? [`@country_${index}`] : []));
  if (codes.length === 0) return "CAST(NULL AS FLOAT64)";
  const between = "ST_DISTANCE(ST_GEOGPOINT(origin.lon, origin.lat), ST_GEOGPOINT(destination.lon, destination.lat))";
  return `IF(pairs.country_code IN (${codes.join(", ")}), ${between}, NULL)`;
}

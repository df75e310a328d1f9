import { countryList } from "./batches.ts";
import { kilometreCell, levelOf, NESTED_LEVELS } from "./nesting.ts";
import type { LoadedCountry } from "./staged-load.ts";

const [QUARTER, KILOMETRE, AREA, REGION] = NESTED_LEVELS;

/**
 * Returns the statements that make `intake.nesting` of some countries from `mobility.geographies`. They use the
 * parameters `country_…` and `finest_…` of a load, where the finest type is the one of the country's offer of Activities.
 *
 * A 250 m cell is a part of its 1 km cell, a 1 km cell of its area, and an area of its region. If 250 m cells are offered, the area of a 1 km
 * cell is that of its 250 m cells. A 1 km cell with 250 m cells in several areas then is a part of none of them: its cells are. So are 250 m
 * cells whose 1 km cell is not a geography. A coarser geography without any of the finest type within it is no part: nobody can be there, so it
 * is no place in which devices may be hidden.
 */
export function nestingStatements(countries: readonly LoadedCountry[]): string[] {
  const finest = countries.map((_, index) => `WHEN @country_${index} THEN @finest_${index}`).join(" ");
  return [
    `DELETE FROM \`intake.nesting\` WHERE country_code IN ${countryList(countries)}`,
    `INSERT INTO \`intake.nesting\` (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts)
WITH own AS (
  SELECT
    g.country_code, g.geo_type, g.geo_id, ${levelOf("g.geo_type", NESTED_LEVELS)} AS level, CASE g.country_code ${finest} END AS finest_level,
    CASE g.geo_type WHEN '${QUARTER}' THEN ${kilometreCell("g.geo_id")} WHEN '${KILOMETRE}' THEN g.geo_id END AS at_1,
    CASE WHEN g.geo_type IN ('${QUARTER}', '${KILOMETRE}') THEN g.parent_id WHEN g.geo_type = '${AREA}' THEN g.geo_id END AS at_2,
    CASE g.geo_type WHEN '${REGION}' THEN g.geo_id WHEN '${AREA}' THEN g.parent_id ELSE area.parent_id END AS at_3
  FROM \`mobility.geographies\` AS g
  LEFT JOIN \`mobility.geographies\` AS area
    ON area.country_code = g.country_code AND area.geo_type = '${AREA}' AND area.geo_id = g.parent_id
  WHERE g.country_code IN ${countryList(countries)} AND g.geo_type IN (${NESTED_LEVELS.map((type) => `'${type}'`).join(", ")})
),
kilometres AS (
  SELECT country_code, at_1, COUNT(DISTINCT COALESCE(at_2, -1)) AS areas, MIN(at_2) AS at_2, MIN(at_3) AS at_3
  FROM own
  WHERE level = 0 AND finest_level = 0
  GROUP BY country_code, at_1
),
placed AS (
  SELECT
    own.country_code, own.geo_type, own.geo_id, own.level, own.finest_level, own.at_1,
    CASE WHEN own.level <> 1 OR k.areas IS NULL THEN own.at_2 WHEN k.areas = 1 THEN k.at_2 END AS at_2,
    CASE WHEN own.level <> 1 OR k.areas IS NULL THEN own.at_3 WHEN k.areas = 1 THEN k.at_3 END AS at_3,
    own.level = 0 AND k.areas = 1 AND cell.geo_id IS NOT NULL AS is_of_kilometre
  FROM own
  LEFT JOIN kilometres AS k ON k.country_code = own.country_code AND k.at_1 = own.at_1
  LEFT JOIN own AS cell ON cell.country_code = own.country_code AND cell.level = 1 AND cell.geo_id = own.at_1
),
held AS (
  SELECT country_code, 1 AS level, at_1 AS geo_id
  FROM placed
  WHERE is_of_kilometre AND finest_level = 0
  UNION DISTINCT
  SELECT country_code, 2, at_2
  FROM placed
  WHERE level = finest_level AND at_2 IS NOT NULL
),
counted AS (
  SELECT country_code, around, at_id, COUNT(*) AS parts
  FROM (
    SELECT
      placed.country_code, CASE WHEN is_of_kilometre THEN 1 WHEN placed.level < 2 THEN 2 ELSE 3 END AS around,
      CASE WHEN is_of_kilometre THEN at_1 WHEN placed.level < 2 THEN at_2 ELSE at_3 END AS at_id
    FROM placed
    LEFT JOIN held ON held.country_code = placed.country_code AND held.level = placed.level AND held.geo_id = placed.geo_id
    WHERE placed.level < 3 AND (placed.level = finest_level OR (placed.level > finest_level AND held.geo_id IS NOT NULL))
  ) AS parts
  GROUP BY country_code, around, at_id
)
SELECT placed.country_code, placed.geo_type, placed.geo_id, placed.level, placed.at_1, placed.at_2, placed.at_3, COALESCE(counted.parts, 0) AS parts
FROM placed
LEFT JOIN counted ON counted.country_code = placed.country_code AND counted.around = placed.level AND counted.at_id = placed.geo_id`,
  ];
}

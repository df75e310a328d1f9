import * as v from "valibot";
import type { Statement } from "../google/statement.ts";
import { loadQuery, ruleOf, stagedBatches } from "./batches.ts";
import { ledgerFilter } from "./ledger.ts";
import { levelOf, NESTED_LEVELS } from "./nesting.ts";
import type { FactLoad } from "./staged-load.ts";

/** A day that is published, and a geography type of which a load brings the first rows, or no rows any more. */
const ChangedType = v.object({ country_code: v.string(), period: v.string(), geo_type: v.string(), is_new: v.boolean() });
export type ChangedType = v.InferOutput<typeof ChangedType>;

/**
 * Returns a query of the staged days of areas that are published with other geography types than those staged: of the types that are coarser than the
 * finest one that the country offers, the new ones that are finer than a published one, and the absent ones that are finer than a staged one. The
 * numbers of that coarser one are made with other parts before and after. Two numbers of one area, of other parts, can tell of withheld ones. A country
 * with protected data has no such rule.
 */
export function changedTypesStatement(load: FactLoad): Statement<ChangedType> {
  const types = "country_code, batch_date, geo_type";
  const sameDay = (one: string, other: string): string =>
    `${other}.country_code = ${one}.country_code AND ${other}.batch_date = ${one}.batch_date`;
  const coarsest = (rows: string): string =>
    `SELECT country_code, batch_date, MAX(${levelOf("geo_type", NESTED_LEVELS)}) AS coarsest FROM ${rows} GROUP BY country_code, batch_date`;
  const sql = `WITH staged AS (
  SELECT DISTINCT ${types}
  FROM \`${load.staging}\`
  WHERE devices > 0
),
newest AS (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`mobility.batches\`
  WHERE ${ledgerFilter(load)}
  GROUP BY country_code, batch_date
),
published AS (
  SELECT noted.country_code, noted.batch_date, noted.geo_type
  FROM \`mobility.batch_geo_types\` AS noted
  JOIN newest ON ${sameDay("noted", "newest")} AND newest.version = noted.version
  WHERE noted.table_name = @table_name AND noted.batch_date BETWEEN @first_date AND @last_date
),
delivered AS (
  SELECT ${types} FROM published
  UNION DISTINCT
  SELECT ${types}
  FROM \`intake.${load.table}\` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.devices > 0 AND ${stagedBatches(load, "target")}
),
changed AS (
  SELECT ${types}, TRUE AS is_new FROM (SELECT ${types} FROM staged EXCEPT DISTINCT SELECT ${types} FROM delivered)
  UNION ALL
  SELECT ${types}, FALSE FROM (SELECT ${types} FROM delivered EXCEPT DISTINCT SELECT ${types} FROM staged)
)
SELECT changed.country_code, FORMAT_DATE('%F', changed.batch_date) AS period, changed.geo_type, changed.is_new
FROM changed
JOIN (${coarsest("published")}) AS standing ON ${sameDay("changed", "standing")}
JOIN (${coarsest("staged")}) AS loaded ON ${sameDay("changed", "loaded")}
WHERE ${levelOf("changed.geo_type", NESTED_LEVELS)} > ${ruleOf(load.countries, "finest", "changed.country_code")}
  AND ${levelOf("changed.geo_type", NESTED_LEVELS)} < IF(changed.is_new, standing.coarsest, loaded.coarsest)
  AND NOT ${ruleOf(load.countries, "protected", "changed.country_code")}
ORDER BY 1, 2, 3`;
  return loadQuery(ChangedType, sql, load);
}

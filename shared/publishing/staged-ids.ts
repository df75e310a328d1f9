import * as v from "valibot";
import { type Statement, statement } from "../google/statement.ts";
import { loadQuery, ruleOf, stagedBatches } from "./batches.ts";
import type { Reference } from "./fact-table.ts";
import { levelOf, NESTED_LEVELS } from "./nesting.ts";
import type { FactLoad, Load } from "./staged-load.ts";

const [, , AREA, REGION] = NESTED_LEVELS;

/** The number of distinct ids that a statement found, with up to five examples. */
const FoundIds = v.object({ count: v.number(), examples: v.nullish(v.array(v.number()), []) });
export type FoundIds = v.InferOutput<typeof FoundIds>;

/** Returns a query of the staged ids that do not exist in the table they refer to: one row. */
export function unknownIdsStatement(staging: string, { id, table, geoType }: Reference): Statement<FoundIds> {
  const [knownId, ...types] = table === "geographies" ? ["geo_id", `known.geo_type = staged.${geoType}`] : ["link_id"];
  const on = ["known.country_code = staged.country_code", ...types, `known.${knownId} = staged.${id}`].join(" AND ");
  return idsStatement(
    `SELECT DISTINCT staged.${id} AS id
  FROM \`${staging}\` AS staged
  LEFT JOIN \`mobility.${table}\` AS known ON ${on}
  WHERE known.${knownId} IS NULL`,
  );
}

/**
 * Returns a query of the staged ids of some geography types that exist but have no parent, or one that does not exist: one row. Either way no
 * coarser row counts them.
 */
export function unplacedIdsStatement(staging: string, { id, geoType }: Reference, types: readonly string[]): Statement<FoundIds> {
  return idsStatement(
    `SELECT DISTINCT staged.${id} AS id
  FROM \`${staging}\` AS staged
  JOIN \`mobility.geographies\` AS known
    ON known.country_code = staged.country_code AND known.geo_type = staged.${geoType} AND known.geo_id = staged.${id}
  LEFT JOIN \`mobility.geographies\` AS parent
    ON parent.country_code = known.country_code AND parent.geo_id = known.parent_id
    AND parent.geo_type = ${typeAbove("known")}
  WHERE parent.geo_id IS NULL AND known.geo_type IN (${types.map((type) => `'${type}'`).join(", ")})`,
  );
}

/** Returns a query of the staged geographies whose parent is no geography of the type above theirs: one row. Asked when they are loaded. */
export function unknownParentsStatement(staging: string): Statement<FoundIds> {
  return idsStatement(
    `SELECT DISTINCT staged.geo_id AS id
  FROM \`${staging}\` AS staged
  LEFT JOIN \`mobility.geographies\` AS parent
    ON parent.country_code = staged.country_code AND parent.geo_id = staged.parent_id AND parent.geo_type = ${typeAbove("staged")}
  WHERE staged.parent_id IS NOT NULL AND parent.geo_id IS NULL`,
  );
}

function typeAbove(geography: string): string {
  return `CASE ${geography}.geo_type WHEN '${AREA}' THEN '${REGION}' ELSE '${AREA}' END`;
}

function idsStatement(ids: string): Statement<FoundIds> {
  return statement(FoundIds, `SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples\nFROM (\n  ${ids}\n)`, {});
}

/** A batch of a day. */
const DayBatch = v.object({ country_code: v.string(), period: v.string() });
export type DayBatch = v.InferOutput<typeof DayBatch>;

/** Returns a query of the staged days of which a table of `intake` has no rows: country_code, and the day as `period`. */
export function absentDaysStatement(load: Pick<Load, "staging">, table: string): Statement<DayBatch> {
  return statement(
    DayBatch,
    `SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period
FROM (SELECT DISTINCT country_code, batch_date FROM \`${load.staging}\`) AS staged
LEFT JOIN (
  SELECT DISTINCT country_code, batch_date
  FROM \`intake.${table}\`
  WHERE loaded_on > "1970-01-01"
) AS present
  ON present.country_code = staged.country_code AND present.batch_date = staged.batch_date
WHERE present.country_code IS NULL`,
    {},
  );
}

const LostHours = v.object({ country_code: v.string(), period: v.string(), hours: v.number() });

/** Returns a query of the staged days whose raw rows in `intake` are of hours that the load does not have, and of how many: the load deletes them. */
export function lostHoursStatement(load: FactLoad): Statement<v.InferOutput<typeof LostHours>> {
  return loadQuery(
    LostHours,
    `SELECT earlier.country_code, FORMAT_DATE('%F', earlier.batch_date) AS period, COUNT(*) AS hours
FROM (
  SELECT DISTINCT country_code, batch_date, time_bucket
  FROM \`intake.${load.table}\` AS target
  WHERE target.loaded_on > "1970-01-01" AND ${stagedBatches(load, "target")}
) AS earlier
LEFT JOIN (SELECT DISTINCT country_code, batch_date, time_bucket FROM \`${load.staging}\`) AS staged
  ON staged.country_code = earlier.country_code AND staged.batch_date = earlier.batch_date AND staged.time_bucket = earlier.time_bucket
WHERE staged.time_bucket IS NULL
GROUP BY earlier.country_code, earlier.batch_date
ORDER BY earlier.country_code, earlier.batch_date`,
    load,
  );
}

/**
 * Returns a query of the staged days that have nested geographies but no row of the finest type that the country offers: nothing of them is
 * published. A pair is of the finest type if each end is, or does not nest.
 */
export function daysWithoutFinestStatement(load: FactLoad, references: readonly Reference[]): Statement<DayBatch> {
  const finest = ruleOf(load.countries, "finest", "country_code");
  const levels = references.map(({ geoType = "geo_type" }) => levelOf(geoType, NESTED_LEVELS));
  return loadQuery(
    DayBatch,
    `SELECT country_code, FORMAT_DATE('%F', batch_date) AS period
FROM \`${load.staging}\`
GROUP BY country_code, batch_date
HAVING COUNTIF(${levels.map((level) => `COALESCE(${level}, ${finest}) = ${finest}`).join(" AND ")}) = 0
ORDER BY country_code, batch_date`,
    load,
  );
}

import * as v from "valibot";
import { NoRow, type Statement, statement } from "../google/statement.ts";
import { countryList, loadParameters, stagedBatches } from "./batches.ts";
import { daysFromHours, recomputedDays } from "./days-from-hours.ts";
import { publishableAreas } from "./decide-areas.ts";
import { publishablePairs } from "./decide-pairs.ts";
import type { Reference } from "./fact-table.ts";
import { LedgerRow } from "./ledger.ts";
import { threshold } from "./nesting.ts";
import type { Load } from "./staged-load.ts";

/**
 * Returns one script in one transaction. It skips batches whose newest version already has this checksum. For the others it deletes the old
 * rows, inserts the new rows with `publishable` decided, and appends to the ledger. If two loads run at once, the second sees the ledger
 * rows of the first.
 */
export function loadStatement(load: Load): Statement<never> {
  const sql = `BEGIN TRANSACTION;

DELETE FROM \`${load.staging}\` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum
    FROM \`mobility.batches\`
    WHERE ${ledgerFilter(load)}
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum AND newest.country_code = staged.country_code${load.days ? " AND newest.batch_date = staged.batch_date" : ""}
);

DELETE FROM \`mobility.${load.table}\` target
WHERE ${stagedBatches(load, "target")};

INSERT INTO \`mobility.${load.table}\` (${insertedColumns(load).join(", ")})
${newRows(load)};

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, loaded.suppressed_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  ${loadedBatches(load)}
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`mobility.batches\`
  WHERE ${ledgerFilter(load)}
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code${load.days ? " AND earlier.batch_date = loaded.batch_date" : ""};

${daysOf(load)}COMMIT TRANSACTION`;
  return statement(NoRow, sql, loadParameters(load));
}

/**
 * Returns a query of the newest ledger versions of a load's batches: `country_code`, `period` (the day as text, or null), `version`,
 * `row_count`, `suppressed_count`, `checksum`. Two rows of one batch mean that two concurrent loads made the same version: load the batch
 * again.
 */
export function ledgerStatement(load: Pick<Load, "table" | "countries" | "days">): Statement<LedgerRow> {
  const sql = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS period, version, row_count, suppressed_count, checksum
FROM \`mobility.batches\`
WHERE ${ledgerFilter(load)}
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)`;
  return statement(LedgerRow, sql, loadParameters({ ...load, checksum: "" }));
}

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

/** Returns a query of the staged ids of some geography types that exist but have no parent: one row. */
export function unplacedIdsStatement(staging: string, { id, geoType }: Reference, types: readonly string[]): Statement<FoundIds> {
  return idsStatement(
    `SELECT DISTINCT staged.${id} AS id
  FROM \`${staging}\` AS staged
  JOIN \`mobility.geographies\` AS known
    ON known.country_code = staged.country_code AND known.geo_type = staged.${geoType} AND known.geo_id = staged.${id}
  WHERE known.parent_id IS NULL AND known.geo_type IN (${types.map((type) => `'${type}'`).join(", ")})`,
  );
}

function idsStatement(ids: string): Statement<FoundIds> {
  return statement(FoundIds, `SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples\nFROM (\n  ${ids}\n)`, {});
}

function ledgerFilter({ countries, days }: Pick<Load, "countries" | "days">): string {
  const batches = days ? "batch_date BETWEEN @first_date AND @last_date" : "batch_date IS NULL AND tick IS NULL";
  return `table_name = @table_name AND country_code IN ${countryList(countries)} AND ${batches}`;
}

/** Returns the statements that recompute days if this load is of their hours, otherwise an empty text. */
function daysOf(load: Load): string {
  const rule = load.publication?.daysFromHours;
  return rule?.hourly === load.table ? `${recomputedDays(load, rule)}\n\n` : "";
}

function insertedColumns(load: Load): string[] {
  const filled = filledDistance(load);
  const names = load.columns.map(({ name }) => name).filter((name) => name !== filled);
  return [...names, ...(filled === undefined ? [] : [filled]), ...(load.days ? ["publishable"] : [])];
}

/** Returns the distance column to compute, or undefined if no country of the load uses centroids. */
function filledDistance({ publication, countries }: Load): string | undefined {
  return countries.some(({ distance }) => distance === "centroids") ? publication?.distanceColumn : undefined;
}

function newRows(load: Load): string {
  const decided = decidedRows(load);
  const filled = filledDistance(load);
  const values = insertedColumns(load).map((name) => {
    if (name === "publishable" && !decided) return `staged.devices >= ${threshold(load.countries, "staged")} AS publishable`;
    if (name === filled) return `${distance(load)} AS ${filled}`;
    const isGeography = load.columns.some((column) => column.name === name && column.isGeography);
    return isGeography ? `ST_GEOGFROMTEXT(staged.${name}) AS ${name}` : `staged.${name}`;
  });
  const centroid = (side: "origin" | "destination"): string => `
LEFT JOIN \`mobility.geographies\` AS ${side}
  ON ${side}.country_code = staged.country_code AND ${side}.geo_type = staged.${side}_geo_type AND ${side}.geo_id = staged.${side}_geo_id`;
  return `SELECT ${values.join(", ")}
FROM ${decided ? `(\n${decided}\n)` : `\`${load.staging}\``} AS staged${filled === undefined ? "" : centroid("origin") + centroid("destination")}`;
}

/** Returns a query of the staged rows with `publishable` and additive values decided, or undefined if only a row's own devices decide. */
function decidedRows(load: Load): string | undefined {
  const { publication, staging, levels, table } = load;
  if (!publication) return undefined;
  const { nesting, additive, daysFromHours: rule } = publication;
  const columns = load.columns.map(({ name }) => name);
  if (rule?.daily === table)
    return publishableAreas({ ...load, columns, additive, rows: daysFromHours(load, rule, columns, `\`${staging}\` AS day`) });
  if (levels.length <= 1 || nesting === undefined) return undefined;
  if (nesting === "pairs") return publishablePairs(load, additive);
  return publishableAreas({ ...load, columns, additive, rows: `SELECT ${columns.join(", ")}\n  FROM \`${staging}\`` });
}

/** Returns the distance of a pair's centroids on BigQuery's sphere, metres. It is NULL in countries without the rule. */
function distance({ countries }: Load): string {
  const codes = countries.flatMap(({ distance: rule }, index) => (rule === "centroids" ? [`@country_${index}`] : []));
  const between = "ST_DISTANCE(ST_GEOGPOINT(origin.lon, origin.lat), ST_GEOGPOINT(destination.lon, destination.lat))";
  return codes.length === countries.length ? between : `IF(staged.country_code IN (${codes.join(", ")}), ${between}, NULL)`;
}

/**
 * Returns a query of the row counts and withheld counts of each batch: of facts from the target table, of dimensions from the staging
 * table.
 */
function loadedBatches(load: Load): string {
  if (!load.days)
    return `SELECT country_code, CAST(NULL AS DATE) AS batch_date, COUNT(*) AS row_count, 0 AS suppressed_count
  FROM \`${load.staging}\`
  GROUP BY country_code`;
  return `SELECT target.country_code, target.batch_date, COUNT(*) AS row_count, COUNTIF(NOT target.publishable) AS suppressed_count
  FROM \`mobility.${load.table}\` AS target
  WHERE ${stagedBatches(load, "target")}
  GROUP BY target.country_code, target.batch_date`;
}

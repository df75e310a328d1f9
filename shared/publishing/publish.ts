import { NoRow, type Statement } from "../google/statement.ts";
import { countryList, loadQuery } from "./batches.ts";
import { keepWithinStep } from "./kept-numbers.ts";
import { ledgerFilter } from "./ledger.ts";
import { areaColumns, publishedAreas } from "./publish-areas.ts";
import { publishedPairs } from "./publish-pairs.ts";
import { publishedColumns, publishedRows } from "./publish-rows.ts";
import { geoTypesStatement } from "./published-geo-types.ts";
import { type RawRows, rawRows } from "./raw-rows.ts";
import type { FactLoad } from "./staged-load.ts";
import { published, publishedByClass } from "./strict-profile.ts";

/** The statements that publish the batches of a load in one table of `mobility`. */
export interface Publishing {
  /** Make the tables that the others use. Definitions are not allowed in a transaction. */
  readonly create: readonly string[];
  readonly publish: readonly string[];
  readonly drop: readonly string[];
}

interface Circumstances {
  /** Other tables of `intake`: only batches of which they have rows are published. */
  readonly beside?: readonly string[];
  /** The table of the hours of days, if the same script has decided them before. */
  readonly decidedHours?: string;
  /** Whether the load's own rows are no longer those of its staging table, because other loads may have followed. */
  readonly isLater?: boolean;
}

/**
 * Returns the statements that publish staged batches whose raw rows are in `intake`. A batch has a new version only if its published rows differ
 * from those of the version before.
 * @param table the table's name in `intake` and `mobility`
 */
export function publishing(load: FactLoad, table: string, { beside = [], decidedHours, isLater = false }: Circumstances = {}): Publishing {
  const rows = stagedRows(load, table);
  const batches = `${rows}_batches`;
  const isIn = (alias: string): string =>
    `EXISTS (SELECT 1 FROM \`${batches}\` AS batch WHERE batch.country_code = ${alias}.country_code AND batch.batch_date = ${alias}.batch_date)`;
  const raw: RawRows = { batches: (alias) => `${intakeFilter(load, alias)} AND ${isIn(alias)}`, load: isLater ? undefined : load };
  const { query, columns, told } = publishedOf(load, table, raw, decidedHours);
  const names = columns.join(", ");
  const isPublished = published(load.countries, load.publication, table, "decided");
  const toPublish = `\`${rows}\` AS decided${isPublished === undefined ? "" : `\n  WHERE ${isPublished}`}`;
  const pruned = `batch_date BETWEEN @first_date AND @last_date AND`;
  // Only rows of days with an earlier version are compared; other countries' among them change nothing. COALESCE makes a test of each row of what
  // DuckDB would take for a join: as it takes rows that a transaction has added for none, it would hold all of them in memory.
  const versions = `WITH earlier AS (
  SELECT country_code, batch_date, MAX(version) AS version, MAX(IF(is_deleted, version, NULL)) AS deleted_version
  FROM \`mobility.batches\`
  WHERE ${ledgerFilter(load, `'${table}'`)}
  GROUP BY country_code, batch_date
),
fresh AS (
  SELECT ${names}
  FROM \`${rows}\` AS decided
  WHERE COALESCE(decided.batch_date IN (SELECT batch_date FROM earlier), FALSE)${isPublished === undefined ? "" : `\n    AND ${isPublished}`}
),
standing AS (
  SELECT ${names}
  FROM \`mobility.${table}\` AS published
  WHERE published.${pruned} ${isIn("published")}
),
changed AS (
  (SELECT * FROM fresh EXCEPT DISTINCT SELECT * FROM standing)
  UNION ALL
  (SELECT * FROM standing EXCEPT DISTINCT SELECT * FROM fresh)
)
SELECT
  batch.country_code, '${table}', batch.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  COALESCE(counted.row_count, 0), COALESCE(counted.bytes, 0), CURRENT_TIMESTAMP()
FROM \`${batches}\` AS batch
LEFT JOIN (
  SELECT country_code, batch_date, COUNT(*) AS row_count, SUM(${rowBytes(columns)}) AS bytes
  FROM ${toPublish}
  GROUP BY country_code, batch_date
) AS counted
  ON counted.country_code = batch.country_code AND counted.batch_date = batch.batch_date
LEFT JOIN earlier
  ON earlier.country_code = batch.country_code AND earlier.batch_date = batch.batch_date
WHERE earlier.version IS NULL OR earlier.version = earlier.deleted_version
  OR EXISTS (SELECT 1 FROM changed WHERE changed.country_code = batch.country_code AND changed.batch_date = batch.batch_date)`;
  return {
    create: [
      `CREATE OR REPLACE TABLE \`${batches}\` (country_code STRING, batch_date DATE)`,
      `CREATE OR REPLACE TABLE \`${rows}\` AS SELECT ${names}${told ? ", 0 AS told" : ""} FROM \`mobility.${table}\` WHERE batch_date = "1970-01-01"`,
    ],
    publish: [
      `INSERT INTO \`${batches}\` (country_code, batch_date)\n${batchesQuery(load, beside)}`,
      `INSERT INTO \`${rows}\` (${names}${told ? ", told" : ""})\n${query}`,
      keepWithinStep(load, { table, rows, columns, batches: isIn, hasHours: decidedHours !== undefined }),
      `INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, bytes, loaded_at)\n${versions}`,
      geoTypesStatement(load, { table, toPublish, delivered: rawRows(raw, table) }),
      `DELETE FROM \`mobility.${table}\` target\nWHERE target.${pruned} ${isIn("target")}`,
      `INSERT INTO \`mobility.${table}\` (${names})\nSELECT ${names}\nFROM ${toPublish}`,
    ],
    drop: [rows, batches].map((temporary) => `DROP TABLE \`${temporary}\``),
  };
}

/** Returns an expression for the bytes of a row as BigQuery counts them: 8 for each number, date and time, 2 and its length for a text. */
function rowBytes(columns: readonly string[]): string {
  const texts = columns.filter((name) => name === "country_code" || name.endsWith("geo_type"));
  const fixed = 8 * (columns.length - texts.length) + 2 * texts.length;
  return [fixed, ...texts.map((name) => `LENGTH(${name})`)].join(" + ");
}

/** Returns a query of the staged batches, of those alone that other tables of `intake` have rows of. */
function batchesQuery({ staging, countries }: FactLoad, beside: readonly string[]): string {
  const joins = beside.map(
    (table, index) => `
JOIN (
  SELECT DISTINCT country_code, batch_date
  FROM \`intake.${table}\`
  WHERE loaded_on > "1970-01-01" AND batch_date BETWEEN @first_date AND @last_date AND country_code IN ${countryList(countries)}
) AS present_${index}
  ON present_${index}.country_code = staged.country_code AND present_${index}.batch_date = staged.batch_date`,
  );
  return `SELECT staged.country_code, staged.batch_date
FROM (SELECT DISTINCT country_code, batch_date FROM \`${staging}\`) AS staged${joins.join("")}`;
}

/** Returns a script that publishes days again, for days and hours of two concurrent loads that did not see each other's rows. */
export function publishDaysStatement(load: FactLoad, { hourly, daily }: NonNullable<FactLoad["publication"]["hours"]>): Statement<never> {
  const { create, publish, drop } = publishing(load, daily, { beside: [hourly, daily], isLater: true });
  const script = [...create, "BEGIN TRANSACTION", ...publish, "COMMIT TRANSACTION", ...drop];
  return loadQuery(NoRow, script.join(";\n\n"), load);
}

interface PublishedRows {
  readonly query: string;
  /** The published columns of the query, in its order. */
  readonly columns: readonly string[];
  /** Whether the query also has `told`, the devices that a row tells of. It is not published. */
  readonly told: boolean;
}

/** Returns the table of the rows that a load publishes in a table of `mobility`. */
export function stagedRows({ staging }: FactLoad, table: string): string {
  return `${staging}_${table}`;
}

/** Returns the condition of the days and countries of a load in a table of `intake`. */
function intakeFilter({ countries }: FactLoad, alias: string): string {
  return `${alias}.loaded_on > "1970-01-01" AND ${alias}.batch_date BETWEEN @first_date AND @last_date AND ${alias}.country_code IN ${countryList(countries)}`;
}

function publishedOf(load: FactLoad, name: string, raw: RawRows, decidedHours: string | undefined): PublishedRows {
  const { key, publication, countries } = load;
  const table = { name, key, publication };
  switch (publication.nesting) {
    case "areas":
      return {
        query: publishedAreas({ table: name, publication, countries, ...raw, decidedHours }),
        columns: areaColumns(publication),
        told: true,
      };
    case "pairs":
      return { query: publishedPairs({ table, countries, ...raw }), columns: publishedColumns(table), told: false };
    default: {
      const [query, { byClass }] = [publishedRows({ table, countries, ...raw }), publication];
      const columns = [...publishedColumns(table), ...(byClass ? [byClass.column] : [])];
      return { query: publishedByClass(query, publication, columns, countries), columns, told: false };
    }
  }
}

import { NoRow, type Statement } from "../google/statement.ts";
import { loadQuery, stagedBatches } from "./batches.ts";
import { ledgerFilter } from "./ledger.ts";
import { areaColumns, publishedAreas } from "./publish-areas.ts";
import { publishedPairs } from "./publish-pairs.ts";
import { publishedColumns, publishedRows } from "./publish-rows.ts";
import type { FactLoad } from "./staged-load.ts";

/** The statements that publish the batches of a load in one table of `mobility`. */
export interface Publishing {
  /** Makes the table of the rows to publish. Definitions are not allowed in a transaction. */
  readonly create: string;
  readonly publish: readonly string[];
  readonly drop: string;
}

/**
 * Returns the statements that publish batches whose raw rows are in `intake`. A batch has a new version only if its published rows differ from
 * those of the version before.
 * @param table the table's name in `intake` and `mobility`
 * @param batches returns the condition of the batches for rows with `country_code` and `batch_date` under an alias
 */
export function publishing(load: FactLoad, table: string, batches: (alias: string) => string): Publishing {
  const rows = `${load.staging}_${table}`;
  const published = publishedOf(load, table, batches);
  const names = published.columns.join(", ");
  const from = (alias: string): string => `FROM \`mobility.${table}\` AS ${alias}
    WHERE ${alias}.batch_date BETWEEN @first_date AND @last_date AND ${batches(alias)}`;
  return {
    create: `CREATE OR REPLACE TABLE \`${rows}\` AS SELECT ${names} FROM \`mobility.${table}\` WHERE batch_date = "1970-01-01"`,
    publish: [
      `INSERT INTO \`${rows}\` (${names})\n${published.query}`,
      `INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
WITH earlier AS (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`mobility.batches\`
  WHERE ${ledgerFilter(load, `'${table}'`)}
  GROUP BY country_code, batch_date
),
changed AS (
  (
    SELECT ${names}
    FROM \`${rows}\` AS fresh
    WHERE EXISTS (SELECT 1 FROM earlier WHERE earlier.country_code = fresh.country_code AND earlier.batch_date = fresh.batch_date)
    EXCEPT DISTINCT
    SELECT ${names} ${from("standing")}
  )
  UNION ALL
  (
    SELECT ${names} ${from("gone")}
    EXCEPT DISTINCT
    SELECT ${names} FROM \`${rows}\`
  )
)
SELECT
  batch.country_code, '${table}', batch.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  COALESCE(counted.row_count, 0), CURRENT_TIMESTAMP()
FROM (
  SELECT DISTINCT raw.country_code, raw.batch_date
  FROM \`intake.${table}\` AS raw
  WHERE raw.loaded_on > "1970-01-01" AND ${batches("raw")}
) AS batch
LEFT JOIN (
  SELECT country_code, batch_date, COUNT(*) AS row_count
  FROM \`${rows}\`
  GROUP BY country_code, batch_date
) AS counted
  ON counted.country_code = batch.country_code AND counted.batch_date = batch.batch_date
LEFT JOIN earlier
  ON earlier.country_code = batch.country_code AND earlier.batch_date = batch.batch_date
WHERE earlier.version IS NULL
  OR EXISTS (SELECT 1 FROM changed WHERE changed.country_code = batch.country_code AND changed.batch_date = batch.batch_date)`,
      `DELETE FROM \`mobility.${table}\` target
WHERE target.batch_date BETWEEN @first_date AND @last_date AND ${batches("target")}`,
      `INSERT INTO \`mobility.${table}\` (${names})
SELECT ${names}
FROM \`${rows}\``,
    ],
    drop: `DROP TABLE \`${rows}\``,
  };
}

/** Returns a script that publishes days again, for days and hours of two concurrent loads that did not see each other's rows. */
export function publishDaysStatement(load: FactLoad, daily: string): Statement<never> {
  const { create, publish, drop } = publishing(load, daily, (alias) => stagedBatches(load, alias));
  const script = [create, "BEGIN TRANSACTION", ...publish, "COMMIT TRANSACTION", drop];
  return loadQuery(NoRow, script.join(";\n\n"), load);
}

interface PublishedRows {
  readonly query: string;
  /** The columns of the query, in its order. */
  readonly columns: readonly string[];
}

function publishedOf({ key, publication, countries }: FactLoad, name: string, batches: (alias: string) => string): PublishedRows {
  const table = { name, key, publication };
  const ofIntake = { countries, batches: (alias: string) => `${alias}.loaded_on > "1970-01-01" AND ${batches(alias)}` };
  switch (publication.nesting) {
    case "areas":
      return { query: publishedAreas({ ...ofIntake, table: name, publication }), columns: areaColumns(publication) };
    case "pairs":
      return { query: publishedPairs({ ...ofIntake, table }), columns: publishedColumns(table) };
    default:
      return { query: publishedRows({ ...ofIntake, table }), columns: publishedColumns(table) };
  }
}

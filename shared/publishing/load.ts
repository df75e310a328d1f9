import { NoRow, type Statement } from "../google/statement.ts";
import { loadQuery, stagedBatches } from "./batches.ts";
import { isInIntake, ledgerFilter } from "./ledger.ts";
import { factSteps, type LoadSteps } from "./load-facts.ts";
import { nestingStatements } from "./nesting-statements.ts";
import { isFactLoad, type Load } from "./staged-load.ts";
import { wktExtent } from "./wkt-extent.ts";

/**
 * Returns one script with one transaction. It skips batches whose newest load already has this checksum, unless its raw rows have left
 * `intake`. For the others it replaces the rows and appends to the ledgers. Facts are published with it. If two loads run at once, the second
 * sees the ledger rows of the first.
 */
export function loadStatement(load: Load): Statement<never> {
  const { before, within, after } = loadSteps(load);
  const script = [...before, "BEGIN TRANSACTION", ...within, "COMMIT TRANSACTION", ...after];
  return loadQuery(NoRow, script.join(";\n\n"), load);
}

/** Returns the statements of a load before, within and after its transaction. */
export function loadSteps(load: Load): LoadSteps {
  const { before, within, after } = isFactLoad(load) ? factSteps(load) : { before: [], within: dimensionStatements(load), after: [] };
  return { before, within: [skipLoaded(load), ...within], after };
}

/** Returns the statement that removes from a staging table what is loaded already. */
function skipLoaded(load: Load): string {
  const sameDay = load.days ? " AND newest.batch_date = staged.batch_date" : "";
  return `DELETE FROM \`${load.staging}\` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum, ${load.days ? isInIntake() : "TRUE"} AS is_there
    FROM \`intake.batches\`
    WHERE ${ledgerFilter(load)}
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.country_code = staged.country_code${sameDay}
    AND newest.checksum = @checksum AND newest.is_there
)`;
}

/** Returns the statements that replace the rows of a table without facts, which are published as they are. */
function dimensionStatements(load: Load): string[] {
  const { table, staging, columns } = load;
  const extent = table === "geographies" && columns.some(({ name }) => name === "geometry") ? Object.entries(wktExtent("geometry")) : [];
  const names = [...columns.map(({ name }) => name), ...extent.map(([side]) => side)].join(", ");
  const values = [
    ...columns.map(({ name, isGeography }) => (isGeography ? `ST_GEOGFROMTEXT(staged.${name}) AS ${name}` : `staged.${name}`)),
    ...extent.map(([side, value]) => `${value} AS ${side}`),
  ];
  const append = (dataset: string, more: readonly (readonly [column: string, value: string])[]): string =>
    `INSERT INTO \`${dataset}.batches\` (country_code, table_name, batch_date, tick, version, row_count${more.map(([column]) => `, ${column}`).join("")}, loaded_at)
SELECT
  loaded.country_code, @table_name, CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count${more.map(([, value]) => `, ${value}`).join("")}, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, COUNT(*) AS row_count
  FROM \`${staging}\`
  GROUP BY country_code
) AS loaded
LEFT JOIN (
  SELECT country_code, MAX(version) AS version
  FROM \`${dataset}.batches\`
  WHERE ${ledgerFilter(load)}
  GROUP BY country_code
) AS earlier
  ON earlier.country_code = loaded.country_code`;
  return [
    `DELETE FROM \`mobility.${table}\` target\nWHERE ${stagedBatches(load, "target")}`,
    `INSERT INTO \`mobility.${table}\` (${names})\nSELECT ${values.join(", ")}\nFROM \`${staging}\` AS staged`,
    append("intake", [["checksum", "@checksum"]]),
    append("mobility", []),
    ...(table === "geographies" ? nestingStatements(load.countries) : []),
  ];
}

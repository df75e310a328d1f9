import * as v from "valibot";
import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";

/** Days of a country, in tables of facts. */
export interface DaysToDelete {
  /** The tables' names in `intake` and `mobility`. */
  readonly tables: readonly string[];
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  /** Civil days `YYYY-MM-DD`, inclusive. */
  readonly first: string;
  readonly last: string;
}

const LoadedDay = v.object({ table_name: v.string(), period: v.string(), published_rows: v.nullable(v.number()) });
export type LoadedDay = v.InferOutput<typeof LoadedDay>;

const DAYS = "country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date";

/** Returns a query of the days that are loaded and not deleted, and of how many rows are published of each: null of a day that waits. */
export function loadedDaysStatement(days: DaysToDelete): Statement<LoadedDay> {
  const sql = `SELECT loaded.table_name, FORMAT_DATE('%F', loaded.batch_date) AS period, published.row_count AS published_rows
FROM (
  ${newest("intake", days.tables)}
) AS loaded
LEFT JOIN (
  ${newest("mobility", days.tables)}
) AS published
  ON published.table_name = loaded.table_name AND published.batch_date = loaded.batch_date
WHERE loaded.row_count > 0
ORDER BY loaded.table_name, loaded.batch_date`;
  return statement(LoadedDay, sql, parametersOf(days));
}

/**
 * Returns one script with one transaction that deletes the raw and the published rows of days. The ledgers keep their entries and get a further
 * version of no rows: whoever has results of a day sees that they are superseded, the same file is a load again, and its version is a new one.
 * @param deletion an id of its own, which stands in the ledger of raw rows for a checksum
 */
export function deleteDaysStatement(days: DaysToDelete, deletion: string): Statement<never> {
  const steps = days.tables.flatMap((table) => [
    appended("intake", table, { checksum: "@deletion" }),
    appended("mobility", table, { bytes: "0", is_deleted: "TRUE" }),
    `DELETE FROM \`intake.${table}\` WHERE loaded_on > "1970-01-01" AND ${DAYS}`,
    `DELETE FROM \`mobility.${table}\` WHERE ${DAYS}`,
  ]);
  return statement(NoRow, ["BEGIN TRANSACTION", ...steps, "COMMIT TRANSACTION"].join(";\n\n"), withDeletion(days, deletion));
}

const DeletedDay = v.object({ table_name: v.string(), period: v.string() });

/** Returns a query of the days that the deletion of this id deleted: others at the same moment may have come before it. */
export function deletedDaysStatement(days: DaysToDelete, deletion: string): Statement<v.InferOutput<typeof DeletedDay>> {
  const sql = `SELECT table_name, FORMAT_DATE('%F', batch_date) AS period
FROM \`intake.batches\`
WHERE table_name IN (${days.tables.map((table) => `'${table}'`).join(", ")}) AND ${DAYS} AND checksum = @deletion`;
  return statement(DeletedDay, sql, withDeletion(days, deletion));
}

function withDeletion(days: DaysToDelete, deletion: string): Parameters {
  return { ...parametersOf(days), deletion: { type: "STRING", value: deletion } };
}

/** Returns the statement that appends a version of no rows to the ledger of a dataset, for each day that has rows. Of a published day all may be withheld. */
function appended(dataset: "intake" | "mobility", table: string, more: Readonly<Record<string, string>>): string {
  const standing = dataset === "intake" ? "row_count > 0" : "is_deleted IS NOT TRUE";
  return `INSERT INTO \`${dataset}.batches\` (country_code, table_name, batch_date, tick, version, row_count, ${Object.keys(more).join(", ")}, loaded_at)
SELECT @country_code, table_name, batch_date, CAST(NULL AS TIMESTAMP), version + 1, 0, ${Object.values(more).join(", ")}, CURRENT_TIMESTAMP()
FROM (
  ${newest(dataset, [table])}
)
WHERE ${standing}`;
}

/** A query of the newest versions of the days in a ledger, one row each: two loads at once may have made one version. */
function newest(dataset: "intake" | "mobility", tables: readonly string[]): string {
  return `SELECT table_name, batch_date, version, row_count${dataset === "intake" ? "" : ", is_deleted"}
  FROM \`${dataset}.batches\`
  WHERE table_name IN (${tables.map((table) => `'${table}'`).join(", ")}) AND ${DAYS}
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1`;
}

function parametersOf({ country, first, last }: DaysToDelete): Parameters {
  return {
    country_code: { type: "STRING", value: country },
    first_date: { type: "DATE", value: first },
    last_date: { type: "DATE", value: last },
  };
}

import { deleteDaysStatement, type LoadedDay, loadedDaysStatement } from "../../shared/loading/delete-days.ts";
import { publishedTables } from "../../shared/products/loaded-tables.ts";
import type { DeletionRequest } from "./arguments.ts";
import { ImportError } from "./import-error.ts";
import { batchName } from "./ledger.ts";
import { openTarget } from "./target.ts";
import { query } from "./warehouse.ts";

/**
 * Deletes days of a country: their raw rows and what is published of them. Days of activities are published with their hours, so they go with them.
 * Throws an ImportError that says what would be deleted, unless the request confirms it.
 * @param say receives lines of progress
 */
export async function deleteDays(request: DeletionRequest, say: (line: string) => void): Promise<void> {
  const { table, country, first, last, isConfirmed } = request;
  const target = await openTarget(request);
  const deletion = { tables: publishedTables(table), country, first, last };
  const labels = { table: table.name };
  const loaded = await query(target, loadedDaysStatement(deletion), labels);
  const range = first === last ? first : `${first} to ${last}`;
  if (loaded.length === 0) return say(`Nothing to do: ${deletion.tables.join(" and ")} ${range} ${country} have no rows`);
  const found = loaded.map((day) => described(day, country));
  if (!isConfirmed)
    throw new ImportError(
      `These days would be deleted, raw rows and published ones:\n${found.map((line) => `  ${line}`).join("\n")}\nNothing was deleted. To delete them, repeat the command with --yes`,
    );
  await query(target, deleteDaysStatement(deletion), labels);
  for (const line of found) say(`Deleted ${line}`);
  say("They have no rows until they are loaded again, hours before days");
}

function described({ table_name: table, period, published_rows: rows }: LoadedDay, country: string): string {
  const published = rows === null ? "not published yet" : `${rows.toLocaleString("en")} published ${rows === 1 ? "row" : "rows"}`;
  return `${table} ${batchName({ country, period })}: ${published}`;
}

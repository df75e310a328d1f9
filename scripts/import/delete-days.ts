import { randomUUID } from "node:crypto";
import { deleteDaysStatement, deletedDaysStatement, type LoadedDay, loadedDaysStatement } from "../../shared/loading/delete-days.ts";
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
  if (!isConfirmed)
    throw new ImportError(
      `These days would be deleted, raw rows and published ones:\n${loaded.map((day) => `  ${described(day, country)}`).join("\n")}\nNothing was deleted. To delete them, repeat the command with --yes`,
    );
  const id = `deletion ${randomUUID()}`;
  await query(target, deleteDaysStatement(deletion, id), labels);
  const own = new Set((await query(target, deletedDaysStatement(deletion, id), labels)).map((day) => nameOf(day, country)));
  for (const day of loaded)
    say(own.has(nameOf(day, country)) ? `Deleted ${described(day, country)}` : `Somebody else deleted ${nameOf(day, country)} meanwhile`);
  say("They have no rows until they are loaded again, hours before days");
}

function nameOf({ table_name: table, period }: Pick<LoadedDay, "table_name" | "period">, country: string): string {
  return `${table} ${batchName({ country, period })}`;
}

function described(day: LoadedDay, country: string): string {
  const { published_rows: rows } = day;
  const published = rows === null ? "not published yet" : `${rows.toLocaleString("en")} published ${rows === 1 ? "row" : "rows"}`;
  return `${nameOf(day, country)}: ${published}`;
}

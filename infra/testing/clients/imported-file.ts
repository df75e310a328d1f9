import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { preparedAt } from "../../../scripts/import/testing/prepared.ts";

/** The folder of the example files of every table, which programs write in other ways. */
export const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** No day of the examples has yet to begin. */
const AFTER_EXAMPLES = new Date("2026-03-03T00:00:00Z");

/**
 * Imports what a program has written, `TABLE.NAME.parquet`, and throws an Error unless each file has the rows of `TABLE.csv` beside it.
 * @param folder has these files
 */
export async function expectSameRows(folder: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".parquet"));
  if (files.length === 0) throw new Error("No file was written");
  for (const file of files) {
    const [table = ""] = file.split(".");
    const made = await rowsOf(table, join(folder, file));
    const expected = await rowsOf(table, join(folder, `${table}.csv`));
    const [odd] = made.filter((row) => !expected.includes(row));
    if (odd !== undefined || made.length !== expected.length)
      throw new Error(`${file} has ${made.length} rows, of ${expected.length}: ${odd}`);
  }
}

/** Returns what the import makes of a file, in no order. WKT is the same with a blank before its brackets. */
async function rowsOf(table: string, file: string): Promise<string[]> {
  return (await preparedAt(AFTER_EXAMPLES, table, file)).rows.map((row) => JSON.stringify(row).replaceAll(" ((", "((")).sort();
}

import { writeFileSync } from "node:fs";
import { openDuckDb } from "../duckdb-session.ts";
import { openSource } from "../open-source.ts";

/** Returns the rows of a CSV text as an import reads them. */
export async function csvSource(text: string): Promise<Record<string, unknown>[]> {
  const duckdb = await openDuckDb();
  try {
    const file = duckdb.path("under-test.csv");
    writeFileSync(file, text);
    const { columns, relation } = await openSource(file, duckdb);
    return await duckdb.rows(`SELECT ${columns.map(({ name, text: value }) => `${value} AS ${name}`).join(", ")} FROM ${relation}`);
  } finally {
    duckdb.close();
  }
}

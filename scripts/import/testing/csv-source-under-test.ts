import { writeFileSync } from "node:fs";
import { openSource } from "../source.ts";
import { openWorkbench } from "../workbench.ts";

/** The rows of a CSV text as an import reads them. */
export async function csvSource(text: string): Promise<Record<string, unknown>[]> {
  const workbench = await openWorkbench();
  try {
    const file = workbench.path("under-test.csv");
    writeFileSync(file, text);
    const { columns, relation } = await openSource(file, workbench);
    return await workbench.rows(`SELECT ${columns.map(({ name, text: value }) => `${value} AS ${name}`).join(", ")} FROM ${relation}`);
  } finally {
    workbench.close();
  }
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArguments } from "../../../scripts/import/arguments.ts";
import { runImport } from "../../../scripts/import/run.ts";
import { ready } from "../service.ts";

/** Loads CSV lines into a table of the running service, as `npm run import` does. The first line names the columns. */
export async function importRows(table: string, lines: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "populus-rows-"));
  try {
    const file = join(directory, `${table}.csv`);
    await writeFile(file, `${lines.join("\n")}\n`);
    const request = parseArguments([table, "--file", file, "--state", dirname(ready.countries_file)]);
    if (request) await runImport(request, () => undefined, new Date());
  } finally {
    await rm(directory, { recursive: true });
  }
}

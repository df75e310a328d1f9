import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepared } from "../../../../scripts/import/testing/prepared.ts";
import type { Check, Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { shellVariables } from "../variables.ts";

const NAME = "geopandas";
const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const { python, programCheck } = pythonPrograms(import.meta.url, environment, (context) => ({ ...shellVariables(context), EXAMPLES }));

/** Returns what the import makes of a file, in no order. */
async function rowsOf(table: string, file: string): Promise<string[]> {
  return (await prepared(table, file)).rows.map((row) => JSON.stringify(row).replaceAll(" ((", "((")).sort();
}

const importOfParquet: Check = {
  name: "Parquet files become what the same rows as CSV become",
  quick: true,
  run: async (context) => {
    await python([fileURLToPath(new URL("parquet_files.py", import.meta.url))], context);
    for (const file of readdirSync(context.folder).filter((name) => name.endsWith(".parquet"))) {
      const [table = ""] = file.split(".");
      const made = await rowsOf(table, join(context.folder, file));
      const expected = await rowsOf(table, join(context.folder, `${table}.csv`));
      const [odd] = made.filter((row) => !expected.includes(row));
      if (odd !== undefined || made.length !== expected.length)
        throw new Error(`${file} has ${made.length} rows, of ${expected.length}: ${odd}`);
    }
  },
};

/** PyPI's geopandas, with the libraries that geographic information systems have in common: GDAL, GEOS and PROJ. */
export const geopandas: Client = {
  name: NAME,
  tool: environment,
  checks: [
    programCheck("outlines", "outlines.py", true),
    programCheck("area and cells of polygons", "cells.py", true),
    importOfParquet,
    ...snippetChecks(NAME, ({ text }, context) => python(["-c", text], context)),
  ],
};

import { fileURLToPath } from "node:url";
import type { Check, Client } from "../client.ts";
import { EXAMPLES, expectSameRows } from "../imported-file.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { shellVariables } from "../variables.ts";

const NAME = "geopandas";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const { python, programCheck } = pythonPrograms(import.meta.url, environment, (context) => ({ ...shellVariables(context), EXAMPLES }));

const importOfParquet: Check = {
  name: "Parquet files become what the same rows as CSV become",
  quick: true,
  run: async (context) => {
    await python([fileURLToPath(new URL("parquet_files.py", import.meta.url))], context);
    await expectSameRows(context.folder);
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

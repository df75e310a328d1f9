import type { Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { shellVariables } from "../variables.ts";

const NAME = "geopandas";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const { python, programCheck } = pythonPrograms(import.meta.url, environment, shellVariables);

/** PyPI's geopandas, with the libraries that geographic information systems have in common: GDAL, GEOS and PROJ. */
export const geopandas: Client = {
  name: NAME,
  tool: environment,
  checks: [
    programCheck("outlines", "outlines.py", true),
    programCheck("area and cells of polygons", "cells.py", true),
    ...snippetChecks(NAME, ({ text }, context) => python(["-c", text], context)),
  ],
};

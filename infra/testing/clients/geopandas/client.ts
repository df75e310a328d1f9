import { fileURLToPath } from "node:url";
import type { Check, CheckContext, Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";
import { apiVariables } from "../variables.ts";

const NAME = "geopandas";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));

/** Runs a Python program. A warning is an error. */
async function python(args: readonly string[], context: CheckContext): Promise<string> {
  const variables = { ...apiVariables(context), PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await mustRun(await environment.python(), ["-W", "error", ...args], {
    folder: context.folder,
    environment: variables,
  });
  return stdout;
}

/** Returns the check that a program of this folder makes: it ends with an exception when something is wrong. */
function programCheck(name: string, file: string): Check {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return {
    name,
    quick: true,
    run: async (context) => {
      await python([path], context);
    },
  };
}

/** PyPI's geopandas, with the libraries that geographic information systems have in common: GDAL, GEOS and PROJ. */
export const geopandas: Client = {
  name: NAME,
  tool: environment,
  checks: [
    programCheck("outlines", "outlines.py"),
    programCheck("area and cells of polygons", "cells.py"),
    ...snippetChecks(NAME, ({ text }, context) => python(["-c", text], context)),
  ],
};

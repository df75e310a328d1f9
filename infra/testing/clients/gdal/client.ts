import type { Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { command } from "../tools/command.ts";
import { mustRun } from "../tools/run-program.ts";
import { apiVariables } from "../variables.ts";

const NAME = "gdal";

/** GDAL's commands, of Debian's gdal-bin: what QGIS reads with, too. */
export const gdal: Client = {
  name: NAME,
  tool: command("ogr2ogr", ["--version"]),
  checks: snippetChecks(NAME, async ({ text }, context) => {
    const environment = apiVariables(context);
    return (await mustRun("bash", ["-euo", "pipefail", "-c", text], { folder: context.folder, environment })).stdout;
  }),
};

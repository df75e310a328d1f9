import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Check, CheckContext, Client } from "../client.ts";
import { allSnippets, snippetChecks } from "../snippets.ts";
import { command } from "../tools/command.ts";
import { mustRun } from "../tools/run-program.ts";
import { shellVariables } from "../variables.ts";

const NAME = "gdal";
const OPERATORS_PAGE = "scripts/README.md";
const IMPORT = fileURLToPath(new URL("../../../../scripts/import.ts", import.meta.url));

/** What an operator has: a layer in the projection of its country, with columns of its own names. */
const PROVIDERS_LAYER = `ogr2ogr municipalities.gpkg "$DATA/geographies?geo_type=admin_level_4&format=geojson&limit=1000" -nln municipalities \\
  -t_srs EPSG:3301 -sql "SELECT geo_id AS code, geo_name AS name FROM OGRGeoJSON"`;

/** Runs commands as a page has them. */
async function shell(text: string, context: CheckContext): Promise<string> {
  const environment = shellVariables(context);
  const layer = { ...environment, GDAL_HTTP_HEADERS: `x-api-key: ${environment.KEY}` };
  const run = async (commands: string, variables: Record<string, string>): Promise<string> =>
    (await mustRun("bash", ["-euo", "pipefail", "-c", commands], { folder: context.folder, environment: variables })).stdout;
  await run(PROVIDERS_LAYER, layer);
  return run(text, environment);
}

const importOfLayer: Check = {
  name: "an operator's layer becomes a file that the import takes",
  quick: true,
  run: async (context) => {
    const [snippet] = allSnippets().filter(({ client, page }) => client === NAME && page === OPERATORS_PAGE);
    await shell(snippet?.text ?? "", context);
    const file = ["--file", join(context.folder, "municipalities.csv"), "--column", "geometry=outline"];
    const same = ["--set", "country_code=EST", "--set", "geo_type=admin_level_4", "--state", dirname(context.ready.countries_file)];
    await mustRun(process.execPath, [IMPORT, "geographies", ...file, ...same, "--dry-run"], { folder: context.folder });
  },
};

/** GDAL's commands, of Debian's gdal-bin: what QGIS reads with, too. */
export const gdal: Client = {
  name: NAME,
  tool: command("ogr2ogr", ["--version"]),
  checks: [importOfLayer, ...snippetChecks(NAME, ({ text }, context) => shell(text, context))],
};

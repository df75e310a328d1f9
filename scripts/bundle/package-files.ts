import { FRAMEWORK } from "./functions.ts";

const FOLDER = "functions-framework";
const NODE = "24.x";

/**
 * Returns the npm files of an archive. Google's buildpack installs declared dependencies, and its own choice of framework version if none
 * is declared. So the archive declares its bundled framework folder: `npm ci` links it and fetches nothing, and the platform starts its
 * program. Source: GoogleCloudPlatform/buildpacks cmd/nodejs/functions_framework/lib/lib.go and cmd/nodejs/npm/lib/lib.go
 */
export function packageFiles(name: string, version: string): Map<string, string> {
  const dependencies = { [FRAMEWORK]: `file:${FOLDER}` };
  const bin = { "functions-framework": "index.js" };
  const own = { name, version: "0.0.0", private: true, dependencies, engines: { node: NODE } };
  return new Map([
    ["package.json", json({ ...own, main: "index.cjs", type: "commonjs", scripts: { start: `functions-framework --target=${name}` } })],
    [
      "package-lock.json",
      json({
        name,
        version: "0.0.0",
        lockfileVersion: 3,
        requires: true,
        packages: {
          "": { name, version: "0.0.0", dependencies, engines: { node: NODE } },
          [FOLDER]: { name: FRAMEWORK, version, license: "Apache-2.0", bin },
          [`node_modules/${FRAMEWORK}`]: { resolved: FOLDER, link: true },
        },
      }),
    ],
    [`${FOLDER}/package.json`, json({ name: FRAMEWORK, version, license: "Apache-2.0", type: "commonjs", main: "index.js", bin })],
  ]);
}

function json(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

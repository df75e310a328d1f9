import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { licences } from "../bundle/licences.ts";
import { oneCopy } from "../bundle/one-copy.ts";
import { replaceFiles, trim } from "../bundle/trim.ts";

/** What a CommonJS package finds in its module, for the packages in a bundle that is an ES module. */
const COMMONJS = `import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
const require = createRequire(import.meta.url), __filename = fileURLToPath(import.meta.url), __dirname = dirname(__filename);`;

/** The functions of a release, as one program: the process of the functions in the local service, with all packages. */
export interface FunctionsBundle {
  readonly code: string;
  /** The licences of the packages in it. */
  readonly licences: string;
}

/**
 * Bundles all functions of a checkout into one program that needs neither the sources nor the packages. It lacks the web console and the page of the
 * API documents, which read and write nothing.
 */
export async function bundleFunctions(root: string): Promise<FunctionsBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["infra/local/functions.ts"],
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    minify: true,
    // Clients use the names of their classes.
    keepNames: true,
    legalComments: "none",
    banner: { js: COMMONJS },
    external: ["supports-color"],
    logLevel: "error",
    outfile: "functions.mjs",
    metafile: true,
    write: false,
    plugins: [whole(root), trim("./unused"), replaceFiles(), oneCopy()],
  });
  const [file] = outputFiles;
  if (!file) throw new Error("esbuild did not create the functions");
  return { code: file.text, licences: licences(Object.keys(metafile.inputs).map((path) => join(root, path))) };
}

/** Takes the framework into the bundle, and leaves out what needs files or esbuild. */
function whole(root: string): Plugin {
  const framework = join(root, "node_modules/@google-cloud/functions-framework/build/src");
  return {
    name: "whole",
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^@google-cloud\/functions-framework(\/testing)?$/ }, ({ path }) => ({
        path: join(framework, path.endsWith("/testing") ? "testing.js" : "index.js"),
      }));
      onLoad({ filter: /\/shared\/openapi\/swagger-ui\.ts$/ }, () => ({
        contents: `export const script = "", style = "", licences = "";`,
      }));
      onLoad({ filter: /\/scripts\/console\/build\.ts$/ }, () => ({
        contents: `export const REVALIDATED = ""; export const buildConsole = async () => ({ files: [] });`,
      }));
    },
  };
}

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import type { Entry } from "./functions.ts";
import { oneCopy } from "./one-copy.ts";
import { packageOf } from "./package-of.ts";
import { replaceFiles, trim } from "./trim.ts";

/** The name of the framework's file, beside the functions. */
export const FRAMEWORK_FILE = "functions-framework.cjs";

/** A bundled file, and how many of its bytes come from each source file (by absolute path). */
export interface Bundled {
  readonly code: string;
  readonly sources: ReadonlyMap<string, number>;
}

const OUT = "out";
/**
 * Replaces globals that the clients use for their tokens and requests: the first use of one of Node's loads the whole of Node's fetch. The clients
 * send requests with node-fetch, whose classes these are.
 */
const GLOBALS = `export { FormData } from "formdata-polyfill/esm.min.js";
export { default as Headers, default as "globalThis.Headers" } from "node-fetch/src/headers.js";`;

/** Returns esbuild's options. Identifiers are not minified: clients use class names, and stack traces stay readable. */
function options(root: string): BuildOptions & { metafile: true; write: false } {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    // An optional dependency of `debug` (terminal colours) that a development tool may have installed.
    external: ["supports-color"],
    logLevel: "error",
    outdir: OUT,
    metafile: true,
    write: false,
  };
}

/** Bundles each entry into one file, without the framework. Import paths are relative to the project's folder. */
export async function bundleEntries(root: string, entries: readonly Entry[]): Promise<Map<string, Bundled>> {
  const { outputFiles, metafile } = await build({
    ...options(root),
    inject: ["globals"],
    entryPoints: entries.map(({ name }) => ({ in: name, out: name })),
    plugins: [virtual(root, entries), trim(`./${FRAMEWORK_FILE}`), replaceFiles(), oneCopy()],
  });
  return new Map(entries.map(({ name }) => [name, bundled(root, outputFiles, metafile, name)]));
}

/**
 * Bundles the functions framework into one file. It is both the module that functions register with and the server program, which
 * `start` runs (scripts/image/start.cjs), so that one instance holds the registrations.
 */
export async function bundleFramework(root: string): Promise<Bundled> {
  const folder = join(root, "node_modules/@google-cloud/functions-framework/build/src");
  const { outputFiles, metafile } = await build({
    ...options(root),
    stdin: {
      contents: `export { cloudEvent, http } from "./function_registry.js"; export const start = () => { require("./main.js"); };`,
      resolveDir: folder,
    },
    entryNames: "framework",
    plugins: [domainStandIn(), replaceFiles()],
  });
  return bundled(root, outputFiles, metafile, "framework");
}

/** Replaces Node's `domain` by the stand-in. */
function domainStandIn(): Plugin {
  const path = fileURLToPath(new URL("stand-ins/domain.cjs", import.meta.url));
  return { name: "domain", setup: ({ onResolve }) => onResolve({ filter: /^domain$/ }, () => ({ path })) };
}

/** Provides entries that exist only in memory. Their imports are relative to the project's folder. */
function virtual(root: string, entries: readonly Entry[]): Plugin {
  const sources = new Map(entries.map(({ name, source }) => [name, source]));
  return {
    name: "entries",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ kind, path }) => {
        if (kind !== "entry-point") return undefined;
        return path === "globals" ? { path, namespace: "globals", sideEffects: false } : { path, namespace: "entry" };
      });
      // Only what a bundle uses of them.
      onResolve({ filter: /^fetch-blob(\/|$)|^formdata-polyfill\// }, ({ path }) => ({
        path: createRequire(join(root, "package.json")).resolve(path),
        sideEffects: false,
      }));
      // The project's modules have no side effects: esbuild drops a module whose exports are unused, with the clients that it imports.
      onResolve({ filter: /^\.\.?\// }, ({ importer, path, resolveDir }) =>
        packageOf(importer) ? undefined : { path: resolve(resolveDir, path), sideEffects: false },
      );
      onLoad({ filter: /.*/, namespace: "globals" }, () => ({ contents: GLOBALS, resolveDir: root }));
      onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({ contents: sources.get(path) ?? "", resolveDir: root, loader: "ts" }));
    },
  };
}

function bundled(root: string, files: readonly { path: string; text: string }[], { outputs }: Metafile, name: string): Bundled {
  const file = files.find(({ path }) => path.endsWith(`/${OUT}/${name}.js`));
  const inputs = outputs[`${OUT}/${name}.js`]?.inputs;
  if (!file || !inputs) throw new Error(`esbuild did not create ${name}`);
  const sources = Object.entries(inputs).map(([path, { bytesInOutput }]): [string, number] => [join(root, path), bytesInOutput]);
  return { code: file.text, sources: new Map(sources) };
}

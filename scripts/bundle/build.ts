import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import type { Entry } from "./functions.ts";
import { oneCopy } from "./one-copy.ts";
import { packageOf } from "./package-of.ts";
import { trim } from "./trim.ts";

/** Where an archive holds the framework, and its entry the functions. */
export const FRAMEWORK_FILE = "functions-framework/index.js";

/** One bundled file, and the bytes in it of each source file (its absolute path). */
export interface Bundled {
  readonly code: string;
  readonly sources: ReadonlyMap<string, number>;
}

const OUT = "out";

/** Identifiers keep their names: clients ask for those of classes, and a stack in a log is read by people. */
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
    // Colours for a terminal, which `debug` takes where a tool of development happens to have brought them.
    external: ["supports-color"],
    logLevel: "error",
    outdir: OUT,
    metafile: true,
    write: false,
  };
}

/** Bundles entries, whose paths are relative to the project's folder: everything but the framework in one file each. */
export async function bundleEntries(root: string, entries: readonly Entry[]): Promise<Map<string, Bundled>> {
  const { outputFiles, metafile } = await build({
    ...options(root),
    entryPoints: entries.map(({ name }) => ({ in: name, out: name })),
    plugins: [virtual(root, entries), trim(`./${FRAMEWORK_FILE}`), oneCopy()],
  });
  return new Map(entries.map(({ name }) => [name, bundled(root, outputFiles, metafile, name)]));
}

/**
 * The functions framework in one file. It is a module that the functions register with and, as the program that the platform starts, the server:
 * one instance of it holds the registrations.
 */
export async function bundleFramework(root: string): Promise<Bundled> {
  const folder = join(root, "node_modules/@google-cloud/functions-framework/build/src");
  const { outputFiles, metafile } = await build({
    ...options(root),
    banner: { js: "#!/usr/bin/env node" },
    stdin: {
      contents: `export { cloudEvent, http } from "./function_registry.js"; if (require.main === module) require("./main.js");`,
      resolveDir: folder,
    },
    entryNames: "framework",
  });
  return bundled(root, outputFiles, metafile, "framework");
}

/** Entries that are in no file: their imports are relative to the project's folder. */
function virtual(root: string, entries: readonly Entry[]): Plugin {
  const sources = new Map(entries.map(({ name, source }) => [name, source]));
  return {
    name: "entries",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === "entry-point" ? { path, namespace: "entry" } : undefined));
      // The project's own modules only define: one whose exports nobody needs is left out, with the clients that it imports.
      onResolve({ filter: /^\.\.?\// }, ({ importer, path, resolveDir }) =>
        packageOf(importer) ? undefined : { path: resolve(resolveDir, path), sideEffects: false },
      );
      onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({ contents: sources.get(path) ?? "", resolveDir: root, loader: "ts" }));
    },
  };
}

function bundled(root: string, files: readonly { path: string; text: string }[], { outputs }: Metafile, name: string): Bundled {
  const file = files.find(({ path }) => path.endsWith(`/${OUT}/${name}.js`));
  const inputs = outputs[`${OUT}/${name}.js`]?.inputs;
  if (!file || !inputs) throw new Error(`esbuild made no ${name}`);
  const sources = Object.entries(inputs).map(([path, { bytesInOutput }]): [string, number] => [join(root, path), bytesInOutput]);
  return { code: file.text, sources: new Map(sources) };
}

/** The version of the framework that a project has installed. */
export function frameworkVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/@google-cloud/functions-framework/package.json"), "utf8"));
  return String(version);
}

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type BuildOptions, build, type Metafile, type OutputFile } from "esbuild";
import { licences } from "../bundle/licences.ts";
import { baseMapFiles } from "./base-map.ts";

/** A file of the console as it is served. */
export interface ConsoleFile {
  /** Its name below `/console/`. */
  readonly name: string;
  readonly type: string;
  /** Files whose name has the hash of their content never change; the page itself does. */
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}

/** The console, and the files that its code and its base map come from (absolute paths). */
export interface BuiltConsole {
  readonly files: readonly ConsoleFile[];
  /** The names of the files of each part that is loaded when it is needed, by the source that it begins with, below the console's folder. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly sources: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};
const HASHED = "public, max-age=31536000, immutable";
/** For the page and `config.json`: a browser asks each time, and gets 304 if they are the same. */
export const REVALIDATED = "no-cache";
const SOURCE = "functions/console";
const OUT = "/console";

/**
 * Builds the console: the page, its scripts and styles in parts that load when they are needed, the base map, and the licences of the
 * packages in them.
 */
export async function buildConsole(root: string): Promise<BuiltConsole> {
  const map = baseMapFiles(root).map(({ name, text }) => hashed(name, ".json", Buffer.from(text)));
  const workerSource = join(root, "node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs");
  const worker = hashed("map-worker", ".js", readFileSync(workerSource));
  const icon = hashed("icon", ".svg", readFileSync(join(root, SOURCE, "style/icon.svg")));
  const names = Object.fromEntries([...map, worker].map(({ name }) => [name.replace(/-[0-9a-f]{10}(?=\.)/, ""), name]));
  const { outputFiles, metafile } = await build({
    ...options(root),
    define: { CONSOLE_FILES: JSON.stringify(names), "process.env.NODE_ENV": '"production"' },
  });
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (entry: string): string => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint === `${SOURCE}/${entry}`)?.[0];
    if (found === undefined) throw new Error(`esbuild did not create ${entry}`);
    return nameOf(found);
  };
  const script = outputOf("main.tsx");
  const eager = eagerImports(metafile.outputs, `${OUT.slice(1)}/${script}`).map(nameOf);
  const parts = partsOf(metafile.outputs, new Set([script, ...eager]));
  const page = readFileSync(join(root, SOURCE, "index.html"), "utf8")
    .replace("{icon}", icon.name)
    .replace("{style}", outputOf("style/console.css"))
    .replace("{map style}", outputOf("style/map.css"))
    .replace("{parts}", JSON.stringify(parts).replaceAll('"', "&quot;"))
    .replace("{preload}", eager.map((name) => `<link rel="modulepreload" href="/console/${name}">`).join("\n    "))
    .replace("{script}", script);
  const bundled = outputs.flatMap(([, { inputs }]) => Object.keys(inputs).map((path) => join(root, path)));
  const sources = [...new Set([...bundled, workerSource, join(root, "node_modules/world-atlas/countries-10m.json")])];
  const files = [
    revalidated("index.html", page),
    revalidated("LICENSES.txt", licences(sources)),
    ...outputFiles.map(built),
    ...map,
    worker,
    icon,
  ];
  return { files, parts, sources };
}

/** Writes the console's files to a folder, and `files.json`, which tells Terraform their types and how long they are cached. */
export function writeConsole(folder: string, files: readonly ConsoleFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  const listed = files.map(({ name, type, cacheControl }) => ({ name, type, cacheControl }));
  writeFileSync(join(folder, "files.json"), `${JSON.stringify(listed, undefined, 2)}\n`);
}

function options(root: string): BuildOptions & { metafile: true; write: false } {
  return {
    absWorkingDir: root,
    entryPoints: [`${SOURCE}/main.tsx`, `${SOURCE}/style/console.css`, `${SOURCE}/style/map.css`].map((file) => join(root, file)),
    bundle: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: ["es2023"],
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    charset: "utf8",
    loader: { ".svg": "dataurl" },
    logLevel: "error",
    entryNames: "[name]-[hash]",
    chunkNames: "part-[hash]",
    outdir: OUT.slice(1),
    metafile: true,
    write: false,
  };
}

function built({ path, contents }: OutputFile): ConsoleFile {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { name, type: TYPES[extname(name)] ?? "application/octet-stream", cacheControl: HASHED, bytes: contents };
}

function revalidated(name: string, text: string): ConsoleFile {
  return { name, type: TYPES[extname(name)] ?? "", cacheControl: REVALIDATED, bytes: Buffer.from(text) };
}

function hashed(name: string, extension: string, bytes: Uint8Array): ConsoleFile {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  return { name: `${name}-${hash}${extension}`, type: TYPES[extension] ?? "", cacheControl: HASHED, bytes };
}

type Outputs = Metafile["outputs"];

/**
 * Returns the files of each part that is imported when it is needed, by the source that the part begins with, below the console's folder.
 * @param present the files that the page has from the start
 */
function partsOf(outputs: Outputs, present: ReadonlySet<string>): Readonly<Record<string, string[]>> {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
      if (entryPoint === undefined || !path.endsWith(".js") || present.has(nameOf(path))) return [];
      const files = [path, ...eagerImports(outputs, path)].map(nameOf).filter((name) => !present.has(name));
      return [[entryPoint.slice(SOURCE.length + 1), files]];
    }),
  );
}

/** The name of a file as it is served, of its path among the outputs. */
function nameOf(path: string): string {
  return path.slice(OUT.length);
}

/** Returns the parts that a script imports statically, so that the browser fetches them at once. */
function eagerImports(outputs: Outputs, script: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement" || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(script);
  return [...found];
}

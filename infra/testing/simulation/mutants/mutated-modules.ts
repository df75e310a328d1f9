import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import { transformSync } from "esbuild";
import { mutate, type SourceChange } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** Packages are those of this process, loaded once for all mutants. */
const requirePackage = createRequire(join(ROOT, "package.json"));

type Instantiate = (module: { exports: unknown }, exports: unknown, require: (specifier: string) => unknown, url: string) => void;

/** The sources as they are, compiled once for all mutants. */
const compiled = new Map<string, Instantiate>();

/**
 * Returns a function that loads the project's modules, by their paths in the project's folder, and returns what they export. They are instances of
 * their own, of the sources as they are or with one of them broken. No file is changed.
 * @throws an Error when it loads the broken source and the mutant does not fit it
 */
export function modulesWith(change: SourceChange | undefined): (file: string) => unknown {
  const instances = new Map<string, { exports: unknown }>();
  const broken = change && join(ROOT, change.file);
  const load = (file: string): unknown => {
    const known = instances.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    instances.set(file, module);
    const required = (specifier: string): unknown =>
      specifier.startsWith(".") ? load(resolve(dirname(file), specifier)) : requirePackage(specifier);
    const instantiate = change && file === broken ? compile(file, mutate(readFileSync(file, "utf8"), change)) : sourceOf(file);
    instantiate(module, module.exports, required, pathToFileURL(file).href);
    return module.exports;
  };
  return (file) => load(join(ROOT, file));
}

function sourceOf(file: string): Instantiate {
  const known = compiled.get(file);
  if (known) return known;
  const instantiate = compile(file, readFileSync(file, "utf8"));
  compiled.set(file, instantiate);
  return instantiate;
}

/** Compiles a module of TypeScript or JSON into a function that fills in its exports. */
function compile(file: string, source: string): Instantiate {
  const loader = file.endsWith(".json") ? "json" : "ts";
  const { code } = transformSync(source, { loader, format: "cjs", target: "node24", define: { "import.meta.url": "url" } });
  const instantiate = compileFunction(code, ["module", "exports", "require", "url"], { filename: file });
  return (module, exports, required, url) => {
    instantiate(module, exports, required, url);
  };
}

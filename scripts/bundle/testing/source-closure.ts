import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";

const IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)"|^import "([^"]+)"/gm;

/** What each file imports, by its absolute path: functions share most of their sources. */
const known = new Map<string, readonly string[]>();

/** Returns the packages that a source file imports directly or through other project files. Type imports do not count. */
export function packagesOf(root: string, entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || file.endsWith(".json")) return;
    seen.add(file);
    for (const path of importsOf(join(root, file))) {
      if (path.startsWith(".")) visit(normalize(join(file, "..", path)));
      else packages.add(path);
    }
  };
  visit(entry);
  return packages;
}

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, from, alone]) => from ?? alone ?? "");
  known.set(file, found);
  return found;
}

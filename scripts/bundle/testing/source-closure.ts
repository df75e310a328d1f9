import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";

const IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)"|^import "([^"]+)"/gm;

/** Returns the packages that a source file imports directly or through other project files. Type imports do not count. */
export function packagesOf(root: string, entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || file.endsWith(".json")) return;
    seen.add(file);
    for (const [, from, alone] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const path = from ?? alone ?? "";
      if (path.startsWith(".")) visit(normalize(join(file, "..", path)));
      else packages.add(path);
    }
  };
  visit(entry);
  return packages;
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns how a folder differs from exactly these files: one line per file, none if it is up to date. */
export function drift(folder: string, files: ReadonlyMap<string, string>): string[] {
  const wrong = [...files].filter(([path, content]) => read(join(folder, path)) !== content);
  return [...wrong.map(([path]) => `${path} is out of date`), ...stale(folder, files).map((path) => `${path} is no longer generated`)];
}

/** Makes a folder hold exactly these files. */
export function write(folder: string, files: ReadonlyMap<string, string>): void {
  for (const path of stale(folder, files)) rmSync(join(folder, path));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (read(join(folder, path)) !== content) writeFileSync(join(folder, path), content);
  }
}

/** Returns the sorted paths of files in the folder that are not among `files`. */
function stale(folder: string, files: ReadonlyMap<string, string>): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length));
  return paths.filter((path) => !files.has(path)).sort();
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

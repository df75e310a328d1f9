import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is wrong with a folder that should hold these files and nothing else: one line a file, none when it is as it should be. */
export function drift(folder: string, files: ReadonlyMap<string, string>): string[] {
  const wrong = [...files].filter(([path, content]) => read(join(folder, path)) !== content);
  return [
    ...wrong.map(([path]) => `${path} is not what the code says`),
    ...stale(folder, files).map((path) => `${path} has no source any more`),
  ];
}

/** Makes a folder hold these files and nothing else. */
export function write(folder: string, files: ReadonlyMap<string, string>): void {
  for (const path of stale(folder, files)) rmSync(join(folder, path));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (read(join(folder, path)) !== content) writeFileSync(join(folder, path), content);
  }
}

/** Paths of files that would not be written, in their order. */
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

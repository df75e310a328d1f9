import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SOURCES = [
  "functions",
  "infra",
  "scripts",
  "shared",
  "terraform",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".biome.jsonc",
  ".gitignore",
];

/** A text replacement in a file of the project. The file must contain `from` exactly once. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A file to add, as a copy of another. */
export interface Addition {
  readonly file: string;
  readonly copyOf: string;
}

/** A changed copy of the project in a temporary folder. */
export interface Overlay {
  readonly root: string;
  readonly remove: () => void;
}

/** Copies the project and applies changes. Throws if an edit does not match its file. */
export function overlay(changes: readonly (Edit | Addition)[]): Overlay {
  const root = mkdtempSync(join(tmpdir(), "populus-overlay-"));
  for (const source of SOURCES) cpSync(join(ROOT, source), join(root, source), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const change of changes) {
    const path = join(root, change.file);
    writeFileSync(path, "copyOf" in change ? relocated(change) : edited(readFileSync(path, "utf8"), change));
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Returns a file's text with its relative imports adapted to the new path. */
function relocated({ file, copyOf }: Addition): string {
  const local = (path: string): string => (path.startsWith(".") ? path : `./${path}`);
  return readFileSync(join(ROOT, copyOf), "utf8").replace(/(?<=from ")\.[^"]+/g, (specifier) =>
    local(relative(dirname(file), join(dirname(copyOf), specifier))),
  );
}

function edited(text: string, { file, from, to }: Edit): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must contain this text exactly once: ${from}`);
  return before + to + after;
}

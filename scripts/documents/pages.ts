import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The pages whose commands are run, in this order. README.md comes first: its `serves` block starts the service that the others call. */
export const PAGES_WITH_COMMANDS = [
  "README.md",
  "functions/README.md",
  "scripts/README.md",
  "infra/README.md",
  "shared/README.md",
  "terraform/README.md",
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
  ".github/API-COMPATIBILITY.md",
  ".github/CHANGELOG.md",
] as const;

const NOT_OURS = /(?:^|\/)(?:node_modules|dist|\.(?!github\/)[^/]+)\//;

/** Returns the paths of all Markdown files of the project, sorted. */
export function allPages(): string[] {
  const folders = ["functions", "infra", "scripts", "shared", "terraform", ".github"];
  const nested = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  return [...readdirSync(ROOT), ...nested].filter((path) => path.endsWith(".md") && !NOT_OURS.test(path)).sort();
}

/** Returns the text of a page. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

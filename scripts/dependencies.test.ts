import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|\bimport(?:\.meta\.resolve)?\(\s*"([^"]+)"\s*\)/g;
/** The package that starts every function's bundle. */
const STARTED_WITH = ["@google-cloud/functions-framework"];

/** Returns the packages that a file and its imports need at run time. Type imports do not count. */
function packagesOf(file: URL, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file.href)) return found;
  seen.add(file.href);
  for (const [, ...names] of readFileSync(file, "utf8").matchAll(IMPORT)) {
    const name = names.find((candidate) => candidate !== undefined) ?? "";
    if (name.startsWith("node:") || builtinModules.includes(name) || name.endsWith(".json")) continue;
    if (name.startsWith(".")) for (const inner of packagesOf(new URL(name, file), seen)) found.add(inner);
    else
      found.add(
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
      );
  }
  return found;
}

it("dependencies lists exactly what the functions need at run time", () => {
  const files = ["functions/catalogue.ts", "functions/workers.ts", "shared/http/serve.ts"].map((file) => new URL(file, ROOT));
  const needed = new Set([...STARTED_WITH, ...files.flatMap((file) => [...packagesOf(file)])]);
  expect(Object.keys(manifest.dependencies).sort()).toEqual([...needed].sort());
});

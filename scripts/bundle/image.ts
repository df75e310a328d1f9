import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../infra/generated/functions.json" with { type: "json" };
import { type Bundle, type Files, LICENCES_FILE, sha256 } from "./bundles.ts";
import { FIRST_REQUESTS_FILE, firstRequests } from "./first-requests.ts";
import { licences } from "./licences.ts";

/** Files of the image, and where they are in the project: the recipe, and what fills the code cache. */
const RECIPE = [
  ["Dockerfile", "scripts/image/Dockerfile"],
  ["fill-code-cache.cjs", "scripts/image/fill-code-cache.cjs"],
] as const;

/** Returns the files that the one image of all functions is built from: each function, the framework once, and the recipe. */
export function imageFiles(root: string, bundles: readonly Bundle[]): Files {
  const recipe = RECIPE.map(([path, source]) => [path, readFileSync(join(root, source), "utf8")] as const);
  const own = bundles.flatMap(({ files }) => [...files].filter(([path]) => path !== LICENCES_FILE));
  const asked = [FIRST_REQUESTS_FILE, firstRequests(manifest.map(({ name }) => name))] as const;
  return new Map([...own, ...recipe, asked, [LICENCES_FILE, licences(bundles.flatMap(({ sources }) => sources))]]);
}

/** Returns a name for the content of an image: it is built once, and any other content has another name. 64 hexadecimal digits. */
export function imageTag(files: Files): string {
  return sha256(JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1))));
}

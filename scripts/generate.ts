import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { catalogue } from "../functions/catalogue.ts";
import { scheduleFunctions, topicFunctions } from "../functions/workers.ts";
import manifest from "../package.json" with { type: "json" };
import { functionsManifest } from "../shared/endpoint/manifest.ts";
import { openapiDocument } from "../shared/endpoint/openapi.ts";

/** Writes `infra/generated`. With `--check` it writes nothing and fails when a file is not what it would write. */
const files: Record<string, object> = {
  "functions.json": functionsManifest(catalogue, topicFunctions, scheduleFunctions),
  "openapi.users.json": openapiDocument("users", catalogue, manifest.version),
  "openapi.data.json": openapiDocument("data", catalogue, manifest.version),
};

const folder = new URL("../infra/generated/", import.meta.url);
const check = process.argv.includes("--check");
mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(files)) {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  const file = new URL(name, folder);
  if (!check) writeFileSync(file, text);
  else if (read(file) !== text) {
    console.error(`infra/generated/${name} is not what the code says: run npm run generate`);
    process.exitCode = 1;
  }
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drift, write } from "./generate/folder.ts";
import { hasTerraform } from "./terraform/terraform-binary.ts";
import { exitOnHelp, GENERATE_USAGE } from "./usage.ts";

/**
 * Writes `infra/generated`, the boundaries of the sample and the generated parts of the documents. With `--check`, writes nothing and fails if something differs from what it
 * would write.
 */
exitOnHelp(GENERATE_USAGE, process.argv.slice(2), ["--check"]);
// Loading the catalogue takes a second, which --help need not wait for.
const [
  { benchmarksPage },
  { benchmarkNames, readRecord },
  { generateSections },
  { asJson, generatedFiles },
  { sampleMapFiles },
  { functionPermissions },
  { quotasDocument },
] = await Promise.all([
  import("./bench/benchmarks-page.ts"),
  import("./bench/benchmarks-record.ts"),
  import("./documents/sections.ts"),
  import("./generate/files.ts"),
  import("./generate/sample-map/files.ts"),
  import("./terraform/permissions.ts"),
  import("./terraform/quotas.ts"),
]);
const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "infra/generated/");
const files = generatedFiles();
// Written by npm run bench -- all: the record belongs to the folder and is not made from sources, the page is made from the record.
const recorded = join(folder, "benchmarks.json");
if (existsSync(recorded)) {
  files.set("benchmarks.json", readFileSync(recorded, "utf8"));
  files.set("benchmarks.md", benchmarksPage(readRecord(recorded), benchmarkNames()));
}
const isCheck = process.argv.includes("--check");
// Permissions are made from functions.json, and Terraform counts from both. So each file is written before it is read.
if (!isCheck) write(folder, files);
files.set("permissions.json", asJson(await functionPermissions(root)));
if (!isCheck) write(folder, files);
// Without Terraform nothing can count, and the table stays as it is: ./scripts/test says so.
files.set("quotas.md", hasTerraform() ? quotasDocument(root) : readFileSync(join(folder, "quotas.md"), "utf8"));
if (isCheck) {
  for (const difference of drift(folder, files)) {
    console.error(`infra/generated/${difference}: run npm run generate`);
    process.exitCode = 1;
  }
} else write(folder, files);
const map = join(root, "infra/local/sample/map/generated/");
if (isCheck) {
  for (const difference of drift(map, sampleMapFiles())) {
    console.error(`infra/local/sample/map/generated/${difference}: run npm run generate`);
    process.exitCode = 1;
  }
} else write(map, sampleMapFiles());
for (const page of await generateSections(root, { check: isCheck })) {
  if (!isCheck) continue;
  console.error(`${page} is out of date: run npm run generate`);
  process.exitCode = 1;
}

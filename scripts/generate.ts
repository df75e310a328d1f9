import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asJson, generatedFiles } from "./generate/files.ts";
import { drift, write } from "./generate/folder.ts";
import { functionPermissions } from "./terraform/permissions.ts";
import { quotasDocument } from "./terraform/quotas.ts";
import { readmes } from "./terraform/readmes.ts";
import { hasTerraform } from "./terraform/terraform-binary.ts";

/** Writes `infra/generated` and the READMEs of `terraform`. With `--check`, writes nothing and fails if a file differs from what it would write. */
const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "infra/generated/");
const files = generatedFiles();
const isCheck = process.argv.includes("--check");
// Permissions are made from functions.json, and Terraform counts from both. So each file is written before it is read.
if (!isCheck) write(folder, files);
files.set("permissions.json", asJson(await functionPermissions(root)));
if (!isCheck) write(folder, files);
// Without Terraform nothing can count, and the table stays as it is: ./scripts/test says so.
files.set("quotas.md", hasTerraform() ? quotasDocument(root) : readFileSync(join(folder, "quotas.md"), "utf8"));
const documents = readmes(join(root, "terraform"));
if (isCheck) {
  const outdated = [...documents].filter(([path, content]) => content !== readFileSync(join(root, "terraform", path), "utf8"));
  const differences = [
    ...drift(folder, files).map((difference) => `infra/generated/${difference}`),
    ...outdated.map(([path]) => `terraform/${path} is out of date`),
  ];
  for (const difference of differences) console.error(`${difference}: run npm run generate`);
  if (differences.length > 0) process.exitCode = 1;
} else {
  write(folder, files);
  for (const [path, content] of documents) writeFileSync(join(root, "terraform", path), content);
}

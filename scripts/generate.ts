import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asJson, generatedFiles } from "./generate/files.ts";
import { drift, write } from "./generate/folder.ts";
import { functionPermissions } from "./terraform/permissions.ts";
import { CUSTOMERS, quotasDocument } from "./terraform/quotas.ts";
import { plannedForCustomers } from "./terraform/roots.ts";

/** Writes `infra/generated`. With `--check` it writes nothing and fails when the folder does not hold what it would write, or holds more. */
const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "infra/generated/");
const files = generatedFiles();
const isCheck = process.argv.includes("--check");
// Permissions follow from the functions, and quotas are counted in what Terraform makes of both: each is written before it is read.
if (!isCheck) write(folder, files);
files.set("permissions.json", asJson(await functionPermissions(root)));
if (!isCheck) write(folder, files);
files.set("quotas.md", quotasDocument(await plannedForCustomers(CUSTOMERS)));
if (isCheck) {
  for (const fault of drift(folder, files)) {
    console.error(`infra/generated/${fault}: run npm run generate`);
    process.exitCode = 1;
  }
} else write(folder, files);

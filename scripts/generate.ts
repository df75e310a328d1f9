import { fileURLToPath } from "node:url";
import { generatedFiles } from "./generate/files.ts";
import { drift, write } from "./generate/folder.ts";
import { CUSTOMERS, quotasDocument } from "./terraform/quotas.ts";
import { plannedForCustomers } from "./terraform/roots.ts";

/** Writes `infra/generated`. With `--check` it writes nothing and fails when the folder does not hold what it would write, or holds more. */
const folder = fileURLToPath(new URL("../infra/generated/", import.meta.url));
const files = generatedFiles();
const isCheck = process.argv.includes("--check");
// Terraform reads what is generated: first that, then what is counted of it.
if (!isCheck) write(folder, files);
files.set("quotas.md", quotasDocument(await plannedForCustomers(CUSTOMERS)));
if (isCheck) {
  for (const fault of drift(folder, files)) {
    console.error(`infra/generated/${fault}: run npm run generate`);
    process.exitCode = 1;
  }
} else write(folder, files);

import { fileURLToPath } from "node:url";
import { generatedFiles } from "./generate/files.ts";
import { drift, write } from "./generate/folder.ts";
import { CUSTOMERS, quotasDocument } from "./terraform/quotas.ts";
import { plannedForCustomers } from "./terraform/roots.ts";

/** Writes `infra/generated`. With `--check`, writes nothing and fails if the folder differs from what it would write. */
const folder = fileURLToPath(new URL("../infra/generated/", import.meta.url));
const files = generatedFiles();
const isCheck = process.argv.includes("--check");
// The quotas are counted from Terraform's configuration, which reads the other generated files. So those are written first.
if (!isCheck) write(folder, files);
files.set("quotas.md", quotasDocument(await plannedForCustomers(CUSTOMERS)));
if (isCheck) {
  for (const difference of drift(folder, files)) {
    console.error(`infra/generated/${difference}: run npm run generate`);
    process.exitCode = 1;
  }
} else write(folder, files);

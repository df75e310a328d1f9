import type { Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { storageVariables } from "../variables.ts";

const NAME = "python-storage";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const { python, programCheck } = pythonPrograms(import.meta.url, environment, async (context) => ({
  ...storageVariables(context, await exportedJob(context, "csv")),
  PARQUET_ID: (await exportedJob(context, "parquet")).id,
}));

/**
 * PyPI's google-cloud-storage, and what reads `gs://` in pandas, Arrow and Polars: gcsfs, Google's client for C++ in pyarrow, and object_store of
 * Rust, the last over the XML API.
 */
export const pythonStorage: Client = {
  name: NAME,
  tool: environment,
  checks: [
    programCheck("lists, parts, whole files", "reads.py", true),
    programCheck("other folders and changes are refused", "refusals.py", true),
    ...snippetChecks(NAME, ({ text }, context) => python(["-c", text], context)),
  ],
};

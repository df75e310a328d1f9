import type { Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { warehouseVariables } from "../variables.ts";

const NAME = "python-bigquery";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
/** Ignored is the package's advice to use another package. */
const { python, programCheck } = pythonPrograms(import.meta.url, environment, warehouseVariables, ["PendingDeprecationWarning"]);

/** PyPI's google-cloud-bigquery, with pandas, pyarrow and google-cloud-bigquery-storage installed. */
export const pythonBigQuery: Client = {
  name: NAME,
  tool: environment,
  checks: [
    programCheck("list and get", "list_and_get.py", false),
    programCheck("queries, pages, jobs, dry runs", "queries.py", true),
    programCheck("to_dataframe, to_arrow, bqstorage", "frames.py", true),
    programCheck("named and positional parameters", "parameters.py", false),
    programCheck("INFORMATION_SCHEMA", "information_schema.py", true),
    programCheck("credentials", "credentials.py", false),
    ...snippetChecks(NAME, ({ text }, context) => python(["-c", text], context)),
  ],
};

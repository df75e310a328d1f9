import { fileURLToPath } from "node:url";
import type { Check, Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";
import { warehouseVariables } from "../variables.ts";

const NAME = "python-bigquery";
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));

/** A client that works says nothing, so a warning is an error. Only the package's advice to use another package is ignored. */
const WARNINGS = ["-W", "error", "-W", "ignore::PendingDeprecationWarning"] as const;

/** Runs a Python program with the variables of the warehouse. */
async function python(args: readonly string[], context: Parameters<Check["run"]>[0]): Promise<string> {
  const variables = { ...warehouseVariables(context), PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await mustRun(await environment.python(), [...WARNINGS, ...args], {
    folder: context.folder,
    environment: variables,
  });
  return stdout;
}

/** Returns the check that a program of this folder makes: it ends with an exception when something is wrong. */
function programCheck(name: string, file: string, quick: boolean): Check {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return {
    name,
    quick,
    run: async (context) => {
      await python([path], context);
    },
  };
}

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

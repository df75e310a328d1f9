import type { Client } from "../client.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { pythonPrograms } from "../tools/python-program.ts";
import { warehouseVariables } from "../variables.ts";

const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const { programCheck } = pythonPrograms(import.meta.url, environment, warehouseVariables, ["PendingDeprecationWarning"]);

/** PyPI's sqlalchemy-bigquery, by which dashboards read BigQuery, and pandas-gbq. */
export const sqlalchemy: Client = {
  name: "sqlalchemy",
  tool: environment,
  checks: [programCheck("reflection, statements, refusals", "engine.py", false), programCheck("pandas-gbq", "read_gbq.py", false)],
};

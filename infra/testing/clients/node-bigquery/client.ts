import type { Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { npmPackages, runModule } from "../tools/node-program.ts";
import { warehouseVariables } from "../variables.ts";

const NAME = "node-bigquery";

/** npm's @google-cloud/bigquery. */
export const nodeBigQuery: Client = {
  name: NAME,
  tool: npmPackages,
  checks: snippetChecks(NAME, ({ text }, context) => runModule(text, context.folder, warehouseVariables(context))),
};

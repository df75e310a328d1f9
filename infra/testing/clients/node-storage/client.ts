import type { Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { npmPackages, runModule } from "../tools/node-program.ts";
import { storageVariables } from "../variables.ts";

const NAME = "node-storage";

/** npm's @google-cloud/storage. */
export const nodeStorage: Client = {
  name: NAME,
  tool: npmPackages,
  checks: snippetChecks(NAME, async ({ text }, context) =>
    runModule(text, context.folder, storageVariables(context, await exportedJob(context, "csv"))),
  ),
};

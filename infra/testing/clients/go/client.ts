import type { Check, CheckContext, Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { goPrograms } from "../tools/go-programs.ts";
import { mustRun } from "../tools/run-program.ts";
import { storageVariables, warehouseVariables } from "../variables.ts";

const programs = goPrograms(new URL("./", import.meta.url));

function check(name: string, program: string, variables: (context: CheckContext) => Promise<Record<string, string>>): Check {
  return {
    name,
    quick: false,
    run: async (context) => {
      await mustRun(await programs.program(program), [], { folder: context.folder, environment: await variables(context) });
    },
  };
}

/** Google's modules bigquery and storage for Go. Their first build takes minutes. */
export const go: Client = {
  name: "go",
  tool: programs,
  checks: [
    check("queries, pages, jobs, refusals", "warehouse", async (context) => warehouseVariables(context)),
    check("an export's files", "files", async (context) => storageVariables(context, await exportedJob(context, "csv"))),
  ],
};

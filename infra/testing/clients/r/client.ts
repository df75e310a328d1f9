import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, Found } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { command } from "../tools/command.ts";
import { mustRun, runProgram } from "../tools/run-program.ts";
import { shellVariables, storageVariables } from "../variables.ts";

const NAME = "r";
const PACKAGES = ["httr2", "jsonlite"] as const;

/** Finds R, and the packages that the page names. */
async function find(): Promise<Found> {
  const found = await command("Rscript", ["--version"]).find();
  if (!found.found) return found;
  const load = PACKAGES.map((name) => `library(${name})`).join("; ");
  const { exitCode } = await runProgram("Rscript", ["--vanilla", "-e", load], { folder: tmpdir() });
  return exitCode === 0 ? found : { found: false, missing: `R has not both of the packages ${PACKAGES.join(" and ")}` };
}

/** R, with httr2 and jsonlite from CRAN or Debian. */
export const rLanguage: Client = {
  name: NAME,
  tool: { find },
  checks: snippetChecks(NAME, async ({ text }, context) => {
    const { folder } = context;
    const environment = { ...storageVariables(context, await exportedJob(context, "csv")), ...shellVariables(context) };
    writeFileSync(join(folder, "trips.R"), text);
    return (await mustRun("Rscript", ["--vanilla", "trips.R"], { folder, environment })).stdout;
  }),
};

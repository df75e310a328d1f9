import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Check, CheckContext, Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { mavenClasspath } from "../tools/maven.ts";
import { mustRun } from "../tools/run-program.ts";
import { storageVariables, warehouseVariables } from "../variables.ts";

const NAME = "java";
const jars = mavenClasspath(new URL("pom.xml", import.meta.url));

/** Compiles a program and runs it in the folder of a check. Returns what it printed. */
async function run(source: string, folder: string, environment: Record<string, string>): Promise<string> {
  return (await mustRun("java", ["-cp", await jars.classpath(), source], { folder, environment })).stdout;
}

function program(name: string, quick: boolean, file: string, variables: (context: CheckContext) => Promise<Record<string, string>>): Check {
  const source = fileURLToPath(new URL(file, import.meta.url));
  return {
    name,
    quick,
    run: async (context) => {
      await run(source, context.folder, await variables(context));
    },
  };
}

/** Runs a program that a page shows. */
async function snippet(text: string, context: CheckContext): Promise<string> {
  const source = join(context.folder, "Snippet.java");
  writeFileSync(source, text);
  return run(source, context.folder, warehouseVariables(context));
}

/** Maven Central's google-cloud-bigquery and google-cloud-storage. */
export const java: Client = {
  name: NAME,
  tool: jars,
  checks: [
    program("queries, pages, jobs, refusals", true, "Warehouse.java", async (context) => warehouseVariables(context)),
    program("an export's files", false, "Files.java", async (context) => storageVariables(context, await exportedJob(context, "csv"))),
    ...snippetChecks(NAME, ({ text }, context) => snippet(text, context)),
  ],
};

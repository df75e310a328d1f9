import { fileURLToPath } from "node:url";
import type { CheckContext, Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { EXAMPLES, expectSameRows } from "../imported-file.ts";
import { snippetChecks } from "../snippets.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";
import { storageVariables } from "../variables.ts";
import { connector, connectorVariables } from "./connector.ts";

const NAME = "spark";
const SECONDS_MAX = 600;
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));

/** Runs Python with a job's files, the connector and the class that gives it the token. Returns what it printed. */
async function withFiles(context: CheckContext, args: readonly string[]): Promise<string> {
  const { program, variables } = await environment.python();
  const { stdout } = await mustRun(program, args, {
    folder: context.folder,
    environment: {
      ...storageVariables(context, await exportedJob(context, "csv")),
      PARQUET_ID: (await exportedJob(context, "parquet")).id,
      ...(await connectorVariables(context.folder, NAME, environment)),
      ...variables,
    },
    secondsMax: SECONDS_MAX,
  });
  return stdout;
}

/** PyPI's pyspark on the machine's Java: it writes files as providers do, and reads a job's files by Google's connector for Hadoop. */
export const spark: Client = {
  name: NAME,
  tool: {
    find: async () => {
      const found = await environment.find();
      return found.found ? connector.find() : found;
    },
  },
  checks: [
    {
      name: "files that the import takes",
      quick: false,
      run: async ({ folder }) => {
        const { program, variables } = await environment.python();
        const writer = fileURLToPath(new URL("write.py", import.meta.url));
        await mustRun(program, [writer], { folder, environment: { EXAMPLES, ...variables } });
        await expectSameRows(folder);
      },
    },
    {
      name: "a job's files by gs://, refusals",
      quick: false,
      run: async (context) => {
        await withFiles(context, [fileURLToPath(new URL("read.py", import.meta.url))]);
      },
    },
    // Each starts a Java of its own, which takes many seconds.
    ...snippetChecks(NAME, ({ language, text }, context) => {
      return language === "java" ? connectorVariables(context.folder, NAME, environment).then(() => "") : withFiles(context, ["-c", text]);
    }).map((check) => ({ ...check, quick: false })),
  ],
};

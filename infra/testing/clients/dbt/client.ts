import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CheckContext, Client } from "../client.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { type ProgramResult, runProgram } from "../tools/run-program.ts";
import { warehouseVariables } from "../variables.ts";

const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
const SECONDS_MAX = 300;
const PROJECT = fileURLToPath(new URL("project", import.meta.url));

/** Runs a command of dbt in the project. */
async function dbt(context: CheckContext, ...args: readonly string[]): Promise<ProgramResult> {
  const { program, variables } = await environment.python();
  // Colours divide words.
  return runProgram(program, ["-m", "dbt.cli.main", "--no-use-colors", ...args], {
    folder: context.folder,
    environment: { ...warehouseVariables(context), ...variables },
    secondsMax: SECONDS_MAX,
  });
}

/** Checks how a command of dbt ends, and that it says these words. */
async function ends(context: CheckContext, exitCode: number, words: readonly string[], ...args: readonly string[]): Promise<void> {
  const result = await dbt(context, ...args);
  const said = result.stdout + result.stderr;
  assert.equal(result.exitCode, exitCode, `dbt ${args.join(" ")} exited with ${result.exitCode}:\n${said}`);
  for (const word of words) assert.ok(said.includes(word), `dbt ${args.join(" ")} does not say ${word}:\n${said}`);
}

/** PyPI's dbt-bigquery, on the customer's own view. */
export const dbtBigQuery: Client = {
  name: "dbt",
  tool: environment,
  checks: [
    {
      name: "freshness, tests, a model shown and refused",
      quick: false,
      run: async (context) => {
        // dbt writes into the project's folder.
        cpSync(PROJECT, context.folder, { recursive: true });
        await ends(context, 0, ["All checks passed!"], "debug");
        await ends(context, 0, ["PASS freshness of populus.realtime_data"], "source", "freshness");
        await ends(context, 0, ["PASS=2 WARN=0 ERROR=0"], "test");
        await ends(context, 0, ["| Vanalinn"], "show", "--select", "newest");
        await ends(context, 1, ["Permission bigquery.tables.create denied on table", "PASS=0 WARN=0 ERROR=1"], "run");
      },
    },
  ],
};

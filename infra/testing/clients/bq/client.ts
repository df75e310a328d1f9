import assert from "node:assert/strict";
import * as v from "valibot";
import type { Check, CheckContext, Client } from "../client.ts";
import { snippetChecks } from "../snippets.ts";
import { command } from "../tools/command.ts";
import { mustRun, type ProgramResult, runProgram } from "../tools/run-program.ts";
import { warehouseVariables } from "../variables.ts";

const NAME = "bq";
const GOOGLE_SQL = "--nouse_legacy_sql";
const Rows = v.array(v.record(v.string(), v.string()));
const Jobs = v.array(v.object({ jobReference: v.object({ jobId: v.string() }) }));

/** Settings and caches of its own: what bq has learnt about other services is not used, and nothing is left behind. */
function options(context: CheckContext) {
  const { folder } = context;
  return { folder, environment: { ...warehouseVariables(context), HOME: folder, CLOUDSDK_CONFIG: folder } };
}

/** The options that every call has: address, project and token. The token needs its equals sign: without it bq asks for a login. */
function flags({ ready, customer }: CheckContext): string[] {
  return ["--api", ready.bigquery_endpoint, "--project_id", ready.project, `--oauth_access_token=${customer.warehouseToken}`, "--quiet"];
}

async function bq(context: CheckContext, ...args: readonly string[]): Promise<string> {
  return (await mustRun(NAME, [...flags(context), ...args], options(context))).stdout;
}

async function rows(context: CheckContext, ...args: readonly string[]): Promise<Record<string, string>[]> {
  return v.parse(Rows, JSON.parse(await bq(context, "--format", "json", ...args)));
}

/** Checks that a call fails with these words, and not as a fault of bq. */
async function isRefused(context: CheckContext, words: string, ...args: readonly string[]): Promise<void> {
  const { exitCode, stdout, stderr }: ProgramResult = await runProgram(NAME, [...flags(context), ...args], options(context));
  // It breaks lines, also within a name.
  const said = `${stdout}${stderr}`.replace(/\s+/g, "");
  assert.notEqual(exitCode, 0, `bq ${args.join(" ")} succeeded`);
  assert.ok(
    said.includes(words.replace(/\s+/g, "")) && !said.includes("encounteredabug"),
    `bq ${args.join(" ")} says:\n${stdout}${stderr}`,
  );
}

const checks: readonly Check[] = [
  {
    name: "ls, show",
    quick: false,
    run: async (context) => {
      const { dataset } = context.customer;
      assert.match(await bq(context, "ls"), new RegExp(`\\b${dataset}\\b`));
      assert.match(await bq(context, "ls", dataset), /realtime_data +VIEW/);
      assert.match(await bq(context, "show", dataset), new RegExp(`^Dataset ${context.ready.project}:${dataset}`));
      assert.match(await bq(context, "show", `${dataset}.realtime_data`), /\|- timestamp: timestamp/);
      assert.match(await bq(context, "ls", "--projects"), new RegExp(`\\b${context.ready.project}\\b`));
    },
  },
  {
    name: "query",
    quick: false,
    run: async (context) => {
      const { dataset } = context.customer;
      const headcounts = await rows(context, "query", GOOGLE_SQL, `SELECT target_name, timestamp FROM ${dataset}.realtime_data`);
      assert.equal(headcounts.length, 1);
      assert.equal(headcounts[0]?.target_name, "Vanalinn");
      const age = Date.now() - Date.parse(`${headcounts[0]?.timestamp}Z`);
      assert.ok(age >= 0 && age < 3_600_000, `The timestamp is ${headcounts[0]?.timestamp}`);
      const named = ["--parameter", "n:INT64:3", "--parameter", "t:TIMESTAMP:2026-01-02 03:04:05"];
      assert.deepEqual(await rows(context, "query", GOOGLE_SQL, ...named, "SELECT @n AS n, @t AS t"), [
        { n: "3", t: "2026-01-02 03:04:05" },
      ]);
      const positional = ["--parameter", "::a", "--parameter", ":ARRAY<INT64>:[1,2]"];
      assert.deepEqual(await rows(context, "query", GOOGLE_SQL, ...positional, "SELECT ? AS a, ARRAY_LENGTH(?) AS n"), [
        { a: "a", n: "2" },
      ]);
      const many = "SELECT n FROM UNNEST(GENERATE_ARRAY(1, 500)) AS n ORDER BY n";
      assert.equal((await rows(context, "query", GOOGLE_SQL, "--max_rows", "400", many)).length, 400);
      assert.deepEqual(await rows(context, "query", GOOGLE_SQL, "--rpc", "SELECT 1 AS x"), [{ x: "1" }]);
      assert.match(await bq(context, "query", GOOGLE_SQL, "--dry_run", many), /Query successfully validated/);
      await isRefused(context, "Unrecognized name: x at [1:8]", "query", GOOGLE_SQL, "SELECT x");
    },
  },
  {
    name: "head",
    quick: false,
    run: async (context) => {
      await bq(context, "query", GOOGLE_SQL, "SELECT n FROM UNNEST(GENERATE_ARRAY(1, 50)) AS n ORDER BY n");
      const [job] = v.parse(Jobs, JSON.parse(await bq(context, "--format", "json", "ls", "--jobs", "--max_results", "1")));
      const head = ["head", "--max_rows", "2", "--start_row", "10", "--job", job?.jobReference.jobId ?? ""];
      assert.deepEqual(await rows(context, ...head), [{ n: "11" }, { n: "12" }]);
      // As at Google: a view has no rows of its own.
      await isRefused(context, "Cannot list a table of type VIEW.", "head", `${context.customer.dataset}.realtime_data`);
    },
  },
  {
    name: "mk, rm and others' data are refused",
    quick: false,
    run: async (context) => {
      const { dataset } = context.customer;
      await isRefused(context, "Permission bigquery.tables.create denied", "mk", `${dataset}.mine`);
      await isRefused(context, "Permission bigquery.datasets.get denied", "mk", "mine");
      await isRefused(context, "Permission bigquery.tables.delete denied", "rm", "--force", `${dataset}.realtime_data`);
      await isRefused(context, "Permission bigquery.datasets.get denied", "show", context.other.dataset);
      const written = ["query", GOOGLE_SQL, "--destination_table", `${dataset}.mine`, "SELECT 1 AS x"];
      await isRefused(context, "configuration.query.destinationTable is not supported by the local BigQuery", ...written);
    },
  },
];

/** The command `bq` of the Google Cloud SDK. */
export const bqCommand: Client = {
  name: NAME,
  tool: command(NAME, ["version"]),
  checks: [
    ...checks,
    ...snippetChecks(NAME, async ({ text }, context) => (await mustRun("bash", ["-euc", text], options(context))).stdout),
  ],
};

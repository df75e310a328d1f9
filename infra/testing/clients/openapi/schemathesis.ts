import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckContext, Client } from "../client.ts";
import { runProgram } from "../tools/run-program.ts";
import { isFalseAlarm } from "./false-alarms.ts";
import { environment } from "./python.ts";
import { type Reported, readReport } from "./schemathesis-report.ts";

const SECONDS_MAX = 1800;
/** Left alone, schemathesis ends an operation's phase at its first failure, and reports one failure of each kind: a false alarm would hide others. */
const OPTIONS = "--checks all --max-examples 100 --phases examples,coverage,fuzzing,stateful --continue-on-failure --seed 1 --no-color";

/** Runs every check on one API. Throws for a failure that is no listed false alarm. */
async function run({ ready, customer, folder }: CheckContext, api: "users" | "data"): Promise<void> {
  const url = `${ready[`${api}_base_url`]}/openapi.json`;
  const key = `x-api-key: ${customer.keys.warehouse ?? ""}`;
  const report = join(folder, "report.ndjson");
  const args = [
    "-m",
    "schemathesis.cli",
    "run",
    url,
    "-H",
    key,
    ...OPTIONS.split(" "),
    "--report",
    "ndjson",
    "--report-ndjson-path",
    report,
  ];
  const { program, variables } = await environment.python();
  const { exitCode, stdout, stderr } = await runProgram(program, args, { folder, environment: variables, secondsMax: SECONDS_MAX });
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`schemathesis exited with ${exitCode}\n${stdout}${stderr}`);
  const reported = readReport(readFileSync(report, "utf8"));
  if (exitCode === 1 && reported.length === 0) throw new Error(`schemathesis failed without a report of why\n${stdout}${stderr}`);
  const faults = new Set(reported.filter((error) => !isFalseAlarm(error)).map(lineOf));
  if (faults.size > 0) throw new Error([...faults, stdout].join("\n"));
}

function lineOf({ code, title, operation, status, field, detail }: Reported): string {
  return `${code} ${title}: ${operation} answered ${status}: ${field === undefined ? "" : `${field} `}${detail}`;
}

/** PyPI's schemathesis: requests drawn from the documents, valid and not, and answers compared with them. */
export const schemathesis: Client = {
  name: "schemathesis",
  tool: environment,
  checks: [
    { name: "Users API, all checks", quick: false, run: (context) => run(context, "users") },
    { name: "Data API, all checks", quick: false, run: (context) => run(context, "data") },
  ],
};

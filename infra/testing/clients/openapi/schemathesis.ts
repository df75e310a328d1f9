import type { CheckContext, Client } from "../client.ts";
import { runProgram } from "../tools/run-program.ts";
import { falseAlarms } from "./false-alarms.ts";
import { environment } from "./python.ts";

const EXAMPLES = "100";
const SECONDS_MAX = 1800;

/** A failure in the report: its title, and the `detail` of the refusal below it. */
interface Failure {
  readonly title: string;
  readonly detail: string;
}

/** Reads the failures of a report. Each begins with its title, and has the answer below. */
function failuresOf(report: string): Failure[] {
  return report
    .split(/^- (?=ST\d+ )/m)
    .slice(1)
    .map((text) => ({ title: text.split("\n")[0] ?? "", detail: /"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "" }));
}

/** Runs every check on one API. Throws for a failure that is no listed false alarm. */
async function run({ ready, customer, folder }: CheckContext, api: "users" | "data"): Promise<void> {
  const url = `${ready[`${api}_base_url`]}/openapi.json`;
  const key = `x-api-key: ${customer.keys.warehouse ?? ""}`;
  const options = ["--checks", "all", "--max-examples", EXAMPLES, "--phases", "examples,fuzzing", "--seed", "1", "--no-color"];
  const args = ["-m", "schemathesis.cli", "run", url, "-H", key, ...options];
  const { exitCode, stdout, stderr } = await runProgram(await environment.python(), args, { folder, secondsMax: SECONDS_MAX });
  if (exitCode === 0) return;
  const failures = failuresOf(stdout);
  const isExpected = ({ title, detail }: Failure): boolean =>
    title.startsWith("ST202 ") && falseAlarms.some((alarm) => alarm.detail.test(detail));
  const others = failures.filter((failure) => !isExpected(failure));
  if (exitCode !== 1 || failures.length === 0 || others.length > 0)
    throw new Error([...others.map(({ title, detail }) => `${title}: ${detail}`), stdout, stderr].join("\n"));
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

import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { Client } from "../client.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { runProgram } from "../tools/run-program.ts";
import { acceptedFindings } from "./accepted-findings.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
/** Its rules are in the package; their descriptions would be asked for over the network. */
const OPTIONS = "--framework terraform --output json --compact --quiet --skip-download";
const SECONDS_MAX = 600;

const Report = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    results: v.object({
      failed_checks: v.array(v.object({ check_id: v.string(), check_name: v.string(), resource: v.string(), file_path: v.string() })),
    }),
    summary: v.object({ parsing_errors: v.literal(0) }),
  }),
);

/** Returns what Checkov finds in the folder `terraform`, by check and resource, with a text of it. A resource of several modules is one. */
async function findings(folder: string): Promise<Map<string, string>> {
  const { program, variables } = await environment.python();
  const args = ["-m", "checkov.main", "--directory", `${ROOT}terraform`, ...OPTIONS.split(" ")];
  const { stdout, stderr } = await runProgram(program, args, { folder, environment: variables, secondsMax: SECONDS_MAX });
  const report = v.safeParse(Report, stdout);
  if (!report.success) throw new Error(`Checkov gave no report of all files:\n${stdout}${stderr}`);
  return new Map(
    report.output.results.failed_checks.map(({ check_id: check, check_name: name, resource, file_path: file }) => [
      keyOf(check, resource.replace(/^.*?(?=google_)/, "")),
      `${file}: ${resource} fails ${check}: ${name}`,
    ]),
  );
}

function keyOf(check: string, resource: string): string {
  return `${check} ${resource}`;
}

async function onlyAccepted(folder: string): Promise<void> {
  const found = await findings(folder);
  const accepted = acceptedFindings.flatMap(({ check, resources }) => resources.map((resource) => keyOf(check, resource)));
  const faults = [...found].flatMap(([key, text]) => (accepted.includes(key) ? [] : [text]));
  const gone = accepted.flatMap((key) => (found.has(key) ? [] : [`${key} is accepted, and no longer found`]));
  if (faults.length + gone.length > 0) throw new Error([...faults, ...gone].join("\n"));
}

/** PyPI's Checkov, with which an operator's security team reads Terraform before it lets anybody apply it. */
export const checkov: Client = {
  name: "checkov",
  tool: environment,
  checks: [
    { name: "finds nothing in Terraform but what is accepted, with a reason", quick: false, run: ({ folder }) => onlyAccepted(folder) },
  ],
};

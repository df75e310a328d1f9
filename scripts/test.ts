import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { findGoogleFirestore, findGooglePubSub } from "../infra/local/google/find.ts";
import { clients, quickClients } from "../infra/testing/clients/catalogue.ts";
import { CHECKS, type Check } from "./check/checks.ts";
import { missingClients } from "./clients/missing.ts";
import { hasZsh } from "./documents/zsh.ts";
import { printTable } from "./table.ts";
import { checkFolders } from "./terraform/provider/check-folders.ts";
import { folderLines, summaryOf } from "./terraform/provider/report.ts";
import { hasTerraform, providerFreeModules, runTerraformTests, TERRAFORM_COMMAND } from "./terraform/terraform-binary.ts";
import { exitOnHelp, TEST_USAGE } from "./usage.ts";

/** `./scripts/test` runs all checks and tests. The last line is `N passed, N failed`. */
const TestFile = v.object({
  name: v.string(),
  status: v.string(),
  startTime: v.number(),
  endTime: v.number(),
  assertionResults: v.array(v.object({ status: v.string() })),
});
const Report = v.object({ numPassedTests: v.number(), testResults: v.array(TestFile) });
const SLOWEST_SHOWN = 10;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
exitOnHelp(TEST_USAGE, process.argv.slice(2));
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "populus-report-"));
let passed = 0;
let failed = 0;
/** How long each test file ran. */
const files: { readonly file: string; readonly seconds: number }[] = [];

/** Runs a check, which counts as one test. Returns lines about it. */
async function check({ name, command, args }: Check): Promise<string[]> {
  const output = new Promise<string>((resolve) => {
    execFile(command, args, { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      if (error) failed += 1;
      else passed += 1;
      // The error's message has what is on stderr.
      resolve(`${stdout}${error ? `This check failed. ${error.message}` : stderr}`.trim());
    });
  });
  return [`— ${name}`, await output].filter((line) => line !== "");
}

/** Starts projects of `scripts/vitest.config.ts`. `quiet` holds the output back. Returns how to wait for the end and count the tests. */
function startTests(projects: readonly string[], environment: Record<string, string>, quiet = false): () => Promise<void> {
  const report = join(folder, `${projects.join("-")}.json`);
  const args = ["run", "--config", "scripts/vitest.config.ts", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = spawn("vitest", [...args, ...projects.flatMap((project) => ["--project", project])], {
    stdio: ["inherit", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
    env: { ...process.env, ...environment },
  });
  const output: unknown[] = [];
  for (const stream of [vitest.stdout, vitest.stderr]) stream?.on("data", (chunk) => output.push(chunk));
  const closed = once(vitest, "close");
  return async () => {
    const [status] = await closed;
    process.stdout.write(output.map(String).join(""));
    count(v.safeParse(Report, readReport(report)), status === 0);
  };
}

/** Adds the counts of a report. A run that breaks before its tests counts as one failure. */
function count(report: v.SafeParseResult<typeof Report>, succeeded: boolean): void {
  passed += report.success ? report.output.numPassedTests : 0;
  for (const { name: file, startTime, endTime } of report.success ? report.output.testResults : [])
    files.push({ file: relative(process.cwd(), file), seconds: Math.round((endTime - startTime) / 1000) });
  const failures = report.success ? report.output.testResults.reduce((sum, file) => sum + failuresOf(file), 0) : 0;
  failed += succeeded ? failures : Math.max(1, failures);
}

/** Returns how many tests of a file failed. A file that breaks outside its tests counts as one failure. */
function failuresOf({ status, assertionResults }: v.InferOutput<typeof TestFile>): number {
  return status === "failed" ? Math.max(1, assertionResults.filter((result) => result.status === "failed").length) : 0;
}

/** Runs the tests of every Terraform module that needs no provider. Returns lines about them. */
function testModules(folder: string): string[] {
  return providerFreeModules(folder).flatMap((name) => {
    const counts = runTerraformTests(join(folder, name));
    passed += counts.passed;
    failed += counts.failed;
    const summary = `— Terraform tests of modules/${name}: ${counts.passed} passed, ${counts.failed} failed`;
    return [summary, ...counts.faults.map((fault) => `   ${fault}`)];
  });
}

/** Runs the tests of Terraform's other folders, with Google's provider or its schema, if one can be had. Returns lines about them, and with what they ran. */
async function testWithProvider(): Promise<{ readonly folders: readonly string[]; readonly about: readonly string[] }> {
  const without = new Set(providerFreeModules("terraform/modules").map((name) => join("terraform/modules", name)));
  const run = await checkFolders(process.cwd(), (folder) => !without.has(folder));
  const summary = summaryOf(run);
  passed += summary.passed;
  failed += summary.failed;
  return { folders: "missing" in run ? [] : run.results.flatMap(folderLines), about: summary.lines };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

// Those that are not here yet are installed while the tests run; the tests of each wait for it.
const clientsMissing = missingClients(quickClients);
const missing = (await Promise.all([findGoogleFirestore(), findGooglePubSub()])).flatMap((found) => (found.found ? [] : [found.missing]));
console.log("— Tests on the embedded engines (Firestore and Pub/Sub: Node only), and on Google's emulators where they are installed");
const embedded = startTests(["unit", "service"], { POPULUS_ENGINES: "embedded" });
// Beside the others: they wait for the emulators' locks most of the time.
const google = missing.length === 0 ? startTests(["google-contracts", "google-journey"], { POPULUS_ENGINES: "google" }, true) : undefined;
// The checks too: alone, they leave processors idle. What one of them finds is shown as soon as it has ended, and again below.
const isTerraformHere = hasTerraform();
const formatCheck = { name: "Terraform format", command: TERRAFORM_COMMAND, args: ["fmt", "-check", "-diff", "-recursive", "terraform"] };
const aboutChecks: string[] = [];
for (const wanted of [...CHECKS, ...(isTerraformHere ? [formatCheck] : [])]) {
  const lines = await check(wanted);
  console.log(lines.join("\n"));
  aboutChecks.push(...lines);
}
const aboutModules = isTerraformHere ? testModules("terraform/modules") : [];
const withProvider = isTerraformHere ? await testWithProvider() : { folders: [], about: [] };
await embedded();
if (google) {
  console.log("— Contracts and the customer's journey on Google's emulators");
  await google();
}
for (const line of [...aboutChecks, ...aboutModules, ...withProvider.folders]) console.log(line);

rmSync(folder, { recursive: true, force: true });
console.log("\nThe slowest test files:");
printTable(files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN));
console.log("\nRan on the embedded engines: everything");
console.log(
  missing.length === 0
    ? "Ran on Google's emulators: the Firestore and Pub/Sub contracts and the customer's journey"
    : `Not run on Google's emulators: ${missing.join("; ")}`,
);
console.log(
  isTerraformHere
    ? "Ran with Terraform: its format check, the tests of the modules without a provider, and the counts of infra/generated/quotas.md"
    : [
        "Not checked, because terraform is not installed: the tests in terraform, which hold invokers, members of policies, routes, calls of workers,",
        "environment variables, counts, alerts, objectives and what protects data; the format of Terraform's files; and whether infra/generated/quotas.md is up to date.",
        "Checked without it: no worker is public (scripts/terraform/resources.test.ts).",
      ].join("\n"),
);
for (const line of withProvider.about) console.log(line);
if (!hasZsh()) console.log("Not parsed by zsh, which is not installed: the commands of the pages");
const aboutClients = await clientsMissing;
console.log(
  aboutClients.length === 0 ? "Ran with the clients of infra/testing/clients that have quick checks: all of them" : aboutClients.join("\n"),
);
const slowClients = clients.filter((client) => !quickClients.includes(client)).map(({ name }) => name);
console.log(`Not run with the clients that have no quick checks: npm run clients -- ${slowClients.join(" ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";

/** The program's name on the PATH. */
export const TERRAFORM_COMMAND = "terraform";

/**
 * Variables of every run: Terraform looks for no newer version of itself, and collects garbage less often, which saves a quarter of its processor time
 * and takes 150 MB more of the largest plan.
 */
export const TERRAFORM_ENVIRONMENT = { CHECKPOINT_DISABLE: "1", GOGC: "400" } as const;

/** Returns whether Terraform is installed. */
export function hasTerraform(): boolean {
  return spawnSync(TERRAFORM_COMMAND, ["version"]).status === 0;
}

/** Returns the modules in a folder that run without a provider: neither they nor the modules that they call declare resources or providers. */
export function providerFreeModules(folder: string): string[] {
  const textOf = (name: string) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith(".tf"))
      .map((file) => readFileSync(join(folder, name, file), "utf8"))
      .join("\n");
  const isProviderFree = (name: string): boolean => {
    const text = textOf(name);
    const called = [...text.matchAll(/^ {2}source\s*= "\.\.\/([\w-]+)"$/gm)].map(([, module = ""]) => module);
    return !/required_providers|^(resource|data) /m.test(text) && called.every(isProviderFree);
  };
  return readdirSync(folder).filter(isProviderFree).sort();
}

const Summary = v.object({
  type: v.literal("test_summary"),
  test_summary: v.object({ passed: v.number(), failed: v.number(), errored: v.number(), skipped: v.number() }),
});
const Failure = v.object({
  "@level": v.literal("error"),
  "@message": v.string(),
  "@testfile": v.optional(v.string()),
  "@testrun": v.optional(v.string()),
  diagnostic: v.optional(v.object({ detail: v.optional(v.string(), "") })),
});

/** Runs `terraform test` in a folder. */
export function runTerraformTests(folder: string): TestCounts {
  const { stdout, stderr } = run(folder, ["test", "-json"]);
  return testCounts(folder, stdout, stderr);
}

/** How many runs of tests passed and failed, and what went wrong. */
interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly faults: string[];
}

/** Counts what `terraform test -json` printed. A folder without tests, or whose tests break before their summary, counts as one failure. */
export function testCounts(folder: string, stdout: string, stderr: string): TestCounts {
  const lines = jsonLines(stdout);
  const faults = lines.flatMap((line) => {
    const failure = v.safeParse(Failure, line);
    return failure.success
      ? [
          [
            failure.output["@testfile"] ?? folder,
            failure.output["@testrun"] ?? "",
            `${failure.output["@message"]} ${failure.output.diagnostic?.detail ?? ""}`.trimEnd(),
          ].join(": "),
        ]
      : [];
  });
  const summaries = lines.flatMap((line) => (v.is(Summary, line) ? [line.test_summary] : []));
  const [{ passed, failed, errored, skipped } = { passed: 0, failed: 0, errored: 0, skipped: 0 }] = summaries;
  // Runs are skipped after one of their file that broke.
  if (passed + failed + errored + skipped > 0) return { passed, failed: failed + errored + skipped, faults };
  return { passed: 0, failed: 1, faults: [...faults, `${folder}: no test ran ${stderr}`] };
}

/** The lines of a text that are JSON, parsed. */
export function jsonLines(text: string): unknown[] {
  return text.split("\n").flatMap(parsed);
}

/** Evaluates an expression in a folder that needs no provider. Throws Terraform's error. */
export function terraformValue(folder: string, expression: string): unknown {
  const { status, stdout, stderr } = run(folder, ["console"], `jsonencode(${expression})\n`);
  if (status !== 0) throw new Error(`${folder}: ${stderr}`);
  // On a busy machine Terraform also prints that it waits for its lock.
  const [value] = jsonLines(stdout);
  return JSON.parse(v.parse(v.string(), value));
}

/** Runs Terraform in a folder once it knows the modules that the folder calls, or returns why it does not. They are local: this needs no network. */
function run(folder: string, args: readonly string[], input = ""): { status: number | null; stdout: string; stderr: string } {
  const data = mkdtempSync(join(tmpdir(), "populus-terraform-"));
  const options = {
    cwd: folder,
    env: { ...process.env, ...TERRAFORM_ENVIRONMENT, TF_DATA_DIR: data },
    encoding: "utf8",
    maxBuffer: 1e8,
  } as const;
  try {
    const ready = spawnSync(TERRAFORM_COMMAND, ["init", "-backend=false", "-input=false", "-no-color"], options);
    return ready.status === 0 ? spawnSync(TERRAFORM_COMMAND, args, { ...options, input }) : { ...ready, stdout: "" };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

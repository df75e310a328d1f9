import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";

/** The program's name on the PATH. */
export const TERRAFORM_COMMAND = "terraform";

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
});

/** Runs `terraform test` in a folder. A run without tests, or one that breaks before its summary, counts as one failure. */
export function runTerraformTests(folder: string): { passed: number; failed: number; faults: string[] } {
  return inInitialised(folder, (run) => {
    const { stdout, stderr } = run(["test", "-json"]);
    const lines = stdout.split("\n").flatMap(parsed);
    const faults = lines.flatMap((line) => {
      const failure = v.safeParse(Failure, line);
      return failure.success
        ? [`${failure.output["@testfile"] ?? folder}: ${failure.output["@testrun"] ?? ""}: ${failure.output["@message"]}`]
        : [];
    });
    const summaries = lines.flatMap((line) => (v.is(Summary, line) ? [line.test_summary] : []));
    const [{ passed, failed, errored, skipped } = { passed: 0, failed: 0, errored: 0, skipped: 0 }] = summaries;
    // Runs are skipped after one of their file that broke.
    if (passed + failed + errored + skipped > 0) return { passed, failed: failed + errored + skipped, faults };
    return { passed: 0, failed: 1, faults: [...faults, `${folder}: no test ran ${stderr}`] };
  });
}

/** Evaluates an expression in a folder that needs no provider. Throws Terraform's error. */
export function terraformValue(folder: string, expression: string): unknown {
  return inInitialised(folder, (run) => {
    const { status, stdout, stderr } = run(["console"], `jsonencode(${expression})\n`);
    if (status !== 0) throw new Error(`${folder}: ${stderr}`);
    return JSON.parse(v.parse(v.string(), JSON.parse(stdout)));
  });
}

type Run = (args: readonly string[], input?: string) => { status: number | null; stdout: string; stderr: string };

/** Runs Terraform in a folder after it has found the modules that the folder calls. They are local, so this takes no network. */
function inInitialised<Result>(folder: string, use: (run: Run) => Result): Result {
  const data = mkdtempSync(join(tmpdir(), "populus-terraform-"));
  const env = { ...process.env, TF_DATA_DIR: data, CHECKPOINT_DISABLE: "1" };
  const run: Run = (args, input = "") => spawnSync(TERRAFORM_COMMAND, args, { cwd: folder, env, input, encoding: "utf8", maxBuffer: 1e8 });
  try {
    const { status, stderr } = run(["init", "-backend=false", "-input=false"]);
    if (status !== 0) throw new Error(`${folder}: ${stderr}`);
    return use(run);
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

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

/** Returns the modules in a folder that run without a provider: they declare neither resources nor providers. */
export function providerFreeModules(folder: string): string[] {
  const textOf = (name: string) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith(".tf"))
      .map((file) => readFileSync(join(folder, name, file), "utf8"));
  return readdirSync(folder)
    .filter((name) => !/required_providers|^(resource|data|module) /m.test(textOf(name).join("\n")))
    .sort();
}

const Summary = v.object({
  type: v.literal("test_summary"),
  test_summary: v.object({ passed: v.number(), failed: v.number(), errored: v.number() }),
});
const Failure = v.object({
  "@level": v.literal("error"),
  "@message": v.string(),
  "@testfile": v.optional(v.string()),
  "@testrun": v.optional(v.string()),
});

/** Runs `terraform test` in a folder. A run without tests, or one that breaks before its summary, counts as one failure. */
export function runTerraformTests(folder: string): { passed: number; failed: number; faults: string[] } {
  const data = mkdtempSync(join(tmpdir(), "populus-terraform-"));
  try {
    const env = { ...process.env, TF_DATA_DIR: data, CHECKPOINT_DISABLE: "1" };
    const { stdout, stderr } = spawnSync(TERRAFORM_COMMAND, ["test", "-json"], { cwd: folder, env, encoding: "utf8", maxBuffer: 1e8 });
    const lines = stdout.split("\n").flatMap(parsed);
    const faults = lines.flatMap((line) => {
      const failure = v.safeParse(Failure, line);
      return failure.success
        ? [`${failure.output["@testfile"] ?? folder}: ${failure.output["@testrun"] ?? ""}: ${failure.output["@message"]}`]
        : [];
    });
    const summaries = lines.flatMap((line) => (v.is(Summary, line) ? [line.test_summary] : []));
    const [{ passed, failed, errored } = { passed: 0, failed: 0, errored: 0 }] = summaries;
    if (passed + failed + errored > 0) return { passed, failed: failed + errored, faults };
    return { passed: 0, failed: 1, faults: [...faults, `${folder}: no test ran ${stderr}`] };
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

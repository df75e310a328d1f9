import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { Json } from "../language/functions.ts";
import { asFields, type Value } from "../language/value.ts";
import { TERRAFORM_COMMAND } from "../terraform-binary.ts";

/** Evaluates an expression with the real Terraform in a folder that needs no provider. Throws Terraform's error. */
export function terraformValue(folder: string, expression: string, variables: Value = {}): Value {
  const scratch = mkdtempSync(join(tmpdir(), "populus-terraform-"));
  try {
    const file = join(scratch, "variables.tfvars.json");
    writeFileSync(file, JSON.stringify(asFields(variables)));
    const env = { ...process.env, TF_DATA_DIR: scratch, CHECKPOINT_DISABLE: "1" };
    const input = `jsonencode(${expression.replaceAll("\n", " ")})\n`;
    const { status, stdout, stderr } = spawnSync(TERRAFORM_COMMAND, ["console", `-var-file=${file}`], {
      cwd: folder,
      env,
      input,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return v.parse(Json, JSON.parse(v.parse(v.string(), JSON.parse(stdout))));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

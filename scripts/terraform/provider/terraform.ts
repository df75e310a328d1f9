import { spawn } from "node:child_process";
import { TERRAFORM_COMMAND, TERRAFORM_ENVIRONMENT } from "../terraform-binary.ts";

/** What a run of Terraform printed, and how it ended. */
export interface TerraformRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const SECONDS_MAX = 300;

/**
 * Runs Terraform in a folder, beside others. It asks nothing, and looks for no newer version of itself.
 * @param secondsMax after these it is killed
 */
export async function terraform(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  secondsMax = SECONDS_MAX,
): Promise<TerraformRun> {
  const child = spawn(TERRAFORM_COMMAND, args, {
    cwd: folder,
    env: { ...process.env, ...TERRAFORM_ENVIRONMENT, TF_IN_AUTOMATION: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: secondsMax * 1000,
    killSignal: "SIGKILL",
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk) => stdout.push(String(chunk)));
  child.stderr.setEncoding("utf8").on("data", (chunk) => stderr.push(String(chunk)));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
}

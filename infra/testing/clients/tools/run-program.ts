import { spawn } from "node:child_process";

/** What a program printed, and its exit code; null if it was killed. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramOptions {
  readonly folder: string;
  /** Variables beside the machine's own; undefined removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** A program that takes longer is killed. */
  readonly secondsMax?: number;
}

/** What the clients must not take from the process that tests them: they find the service by the addresses that they are given. */
const HIDDEN: readonly RegExp[] = [/_EMULATOR_HOST$/, /^GOOGLE_/, /^GCE_METADATA_/, /^METADATA_SERVER_/, /^CLOUDSDK_/];

/** Returns this machine's own variables that a client may see. */
export function clientEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !HIDDEN.some((pattern) => pattern.test(name))));
}

/** Runs a program to its end. Throws an Error only if it cannot be started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, environment = {}, secondsMax = 120 }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...clientEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: secondsMax * 1000,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr += String(chunk)));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { exitCode, stdout, stderr };
}

/** Runs a program that must succeed. Returns what it printed. Throws an Error with all its output if it exits with another code than 0. */
export async function mustRun(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const result = await runProgram(program, args, options);
  if (result.exitCode === 0) return result;
  const how = result.exitCode === null ? "was killed" : `exited with ${result.exitCode}`;
  throw new Error(`${program} ${how}\n${result.stdout}${result.stderr}`.trimEnd());
}

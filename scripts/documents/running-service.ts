import { type ChildProcess, spawn } from "node:child_process";

/** A service started by a command of a page. */
export interface Served {
  /** What it printed until it was ready. */
  readonly output: string;
  /** Stops it as Ctrl-C does. */
  stop(): Promise<void>;
}

/** The last line of a start. */
const READY = "Ctrl-C stops it.";

/** Runs a command that serves until stopped, and waits until it is ready. Throws an Error with its output if it ends before. */
export async function serve(command: string, folder: string, environment: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn("bash", ["-c", `exec ${command}`], { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const isReady = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += String(chunk);
        if (output.includes(READY)) resolve(true);
      });
    child.once("close", () => resolve(false));
  });
  if (!(await isReady)) throw new Error(`${command} ended:\n${output}`);
  return { output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await closed;
}

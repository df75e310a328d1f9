import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { freePort } from "../../local/free-port.ts";

const MAIN = fileURLToPath(new URL("../../../node_modules/@google-cloud/functions-framework/build/src/main.js", import.meta.url));

/** A function served as in the cloud: by the framework's own command, in a separate process. */
export interface FrameworkProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
}

interface Options {
  readonly entry: URL;
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts a process and waits until it listens. Throws an Error with its output when it ends before. */
export async function startFramework({ entry, target, env }: Options): Promise<FrameworkProcess> {
  const port = await freePort();
  const args = ["--disable-warning=ExperimentalWarning", MAIN, `--target=${target}`, `--source=${fileURLToPath(entry)}`, `--port=${port}`];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  let output = "";
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += String(chunk);
        // It prints this once it listens and its signal handlers are installed.
        if (output.includes("Serving function")) resolve();
      });
  });
  const ended = exit.then((code) => {
    throw new Error(`${target} ended with ${code}: ${output}`);
  });
  // Nothing waits for this promise once the process listens.
  ended.catch(() => undefined);
  await Promise.race([listening, ended]);
  return { url: `http://127.0.0.1:${port}`, process: child, exit };
}

import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../../node_modules/@google-cloud/functions-framework/build/src/main.js", import.meta.url));

/** A function that is served as it is in the cloud: by the framework's own command, in a process of its own. */
export interface FrameworkProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** How it ended. */
  readonly exit: Promise<number | null>;
}

interface Options {
  readonly entry: URL;
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts one and waits until it listens. Throws with its output when it ends before that. */
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
        // It says so when it listens and its handlers of signals are there.
        if (output.includes("Serving function")) resolve();
      });
  });
  const ended = exit.then((code) => {
    throw new Error(`${target} ended with ${code}: ${output}`);
  });
  // Nobody waits for it once it listens.
  ended.catch(() => undefined);
  await Promise.race([listening, ended]);
  return { url: `http://127.0.0.1:${port}`, process: child, exit };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
    });
  });
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The process of one product on a data folder. A test can kill it at any moment. */
export interface Killable {
  readonly address: string;
  /** The lines of its log. */
  readonly log: readonly string[];
  /** Resolves when a line that contains `words` is logged. */
  logged(words: string): Promise<void>;
  /** Removes the limit on file sizes. */
  makeRoom(): void;
  /** Sends SIGKILL and resolves when the process is gone. */
  kill(): Promise<void>;
}

interface Options {
  readonly product: "firestore" | "pubsub" | "tasks";
  readonly directory: string;
  /** The maximum size of a file that it writes, KiB. It simulates a full disk. */
  readonly roomKiB?: number;
}

/** Starts a product's server in a child process. Rejects with its log if it exits before it serves. */
export async function startKillable({ product, directory, roomKiB }: Options): Promise<Killable> {
  const serve = fileURLToPath(new URL("serve-engine.ts", import.meta.url));
  const limit = roomKiB === undefined ? "" : `ulimit -S -f ${roomKiB}; `;
  const child = spawn(
    "bash",
    ["-c", `${limit}exec "$@"`, "bash", process.execPath, "--disable-warning=ExperimentalWarning", serve, product, directory],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const log: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on("line", (line) => log.push(line));
  const exited = once(child, "exit");
  const [address] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exited.then(async () => {
      throw new Error(log.join("\n"));
    }),
  ]);
  return {
    address: String(address),
    log,
    async logged(words) {
      while (!log.some((line) => line.includes(words))) await once(lines, "line");
    },
    makeRoom: () => execFileSync("bash", ["-c", `prlimit --pid ${pidOf(child)} --fsize=unlimited:unlimited`]),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the process has not started");
  return pid;
}

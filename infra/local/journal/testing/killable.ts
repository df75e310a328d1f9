import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A product's process over a data folder, which a test may kill at any moment. */
export interface Killable {
  readonly address: string;
  /** The lines that it has logged. */
  readonly log: readonly string[];
  /** Resolves when a line with these words is logged. */
  logged(words: string): Promise<void>;
  /** From now on it may write files of any size. */
  makeRoom(): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

interface Options {
  readonly product: "firestore" | "pubsub" | "tasks";
  readonly directory: string;
  /** The largest file that it may write, KiB: to it the disk is full then. */
  readonly roomKiB?: number;
}

/** Starts a product's server in a process of its own; rejects with what it logged when it ends before it serves. */
export async function startKillable({ product, directory, roomKiB }: Options): Promise<Killable> {
  const serve = fileURLToPath(new URL("serve.ts", import.meta.url));
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

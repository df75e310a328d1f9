import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";

const ReadyFile = v.object({
  users_base_url: v.string(),
  data_base_url: v.string(),
  storage_endpoint: v.string(),
  metadata_host: v.string(),
  functions: v.record(v.string(), v.string()),
  pids: v.object({ cloud: v.number(), functions: v.number() }),
  customers: v.array(v.object({ uid: v.string(), personal_dataset: v.string(), keys: v.record(v.string(), v.string()) })),
});

/** A service in a separate process, with a data folder. */
export interface PersistentService {
  readonly state: string;
  readonly ready: v.InferOutput<typeof ReadyFile>;
  /** Waits until all sample data is there. */
  filled(): Promise<void>;
  /** Kills all its processes at once, like a power failure. */
  kill(): Promise<void>;
  /** Stops it as Ctrl-C does. Returns its exit code. */
  stop(): Promise<number | null>;
  /** Returns the errors that its functions have logged. */
  errors(): string;
  request(url: string, options?: { readonly key?: string; readonly body?: unknown; readonly method?: string }): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Start {
  readonly args?: readonly string[];
  /** Shell code before the command, such as a limit. */
  readonly shell?: string;
}

/** On free ports: at the default ones, a service would take the place of another that was killed, and answer requests meant for that one. */
const COMMAND = ["node", "--disable-warning=ExperimentalWarning", "scripts/start.ts", "--port", "0"] as const;

/** What it prints when all sample data is there. */
const FILLED = "The sample data is complete";

/** Starts the service on a data folder and kills all its processes once `isTime` returns true, which must be before it is ready. */
export async function startAndKill(dataDirectory: string, args: readonly string[], isTime: () => boolean): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-state-"));
  const [node, ...words] = COMMAND;
  // A separate process group, so that one signal ends all of them.
  const child = spawn(node, [...words, "--state", state, "--data", dataDirectory, ...args], { stdio: "ignore", detached: true });
  const exit = new Promise<boolean>((resolve) => child.once("close", () => resolve(true)));
  let isOver = false;
  while (!isOver && !isTime()) isOver = await Promise.race([exit, wait(1, false)]);
  const wasReady = existsSync(join(state, "ready.json"));
  if (!isOver && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await exit;
  rmSync(state, { recursive: true, force: true });
  if (isOver || wasReady) throw new Error(isOver ? "The service ended by itself" : "The service was ready before the kill");
}

/** Starts `scripts/start.ts` on a data folder. Throws an Error with its output when it does not start. */
export async function startPersistent(dataDirectory: string, { args = [], shell = "" }: Start = {}): Promise<PersistentService> {
  const state = mkdtempSync(join(tmpdir(), "populus-state-"));
  const command = [...COMMAND, "--state", state, "--data", dataDirectory, ...args];
  const child = spawn("bash", ["-c", `${shell} exec "$@"`, "bash", ...command], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const filled = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes(FILLED)) filled.resolve();
    });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  exit.then(() => filled.reject(new Error(`It ended before the sample data was complete:\n${said}`)));
  filled.promise.catch(() => undefined);
  const file = join(state, "ready.json");
  for (let isOver = false; !existsSync(file); ) {
    if (isOver) {
      rmSync(state, { recursive: true, force: true });
      throw new Error(said);
    }
    isOver = await Promise.race([exit.then(() => true), wait(20, false)]);
  }
  const ready = v.parse(ReadyFile, JSON.parse(readFileSync(file, "utf8")));
  const end = async (how: () => void): Promise<number | null> => {
    how();
    const code = await exit;
    rmSync(state, { recursive: true, force: true });
    return code;
  };
  return {
    state,
    ready,
    filled: () => filled.promise,
    kill: async () => {
      await end(() => killAll(child, [ready.pids.cloud, ready.pids.functions]));
    },
    errors: () =>
      readFileSync(join(state, "functions.log"), "utf8")
        .split("\n")
        .filter((line) => line.includes('"ERROR"'))
        .join("\n"),
    stop: () => end(() => child.kill("SIGTERM")),
    request: async (url, { key, body, method = body === undefined ? "GET" : "POST" } = {}) => {
      const response = await fetch(url, {
        method,
        headers: {
          ...(key === undefined ? {} : { "x-api-key": key }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    },
  };
}

function killAll(child: ChildProcess, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  child.kill("SIGKILL");
}

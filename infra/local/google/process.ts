import { type ChildProcess, spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { LocalServer } from "../server.ts";

export interface EmulatorCommand {
  /** Its name in error texts. */
  readonly name: string;
  /** The program and its arguments for a port that is free now. */
  command(port: number): readonly string[];
  /** How long it may take until it answers, milliseconds; 60 s when absent. */
  readonly patience?: number;
}

/** Of what it said, the end that an error text repeats. */
const WORDS_MAX = 4_000;

/** Somebody may take the free port before the emulator does. */
const ATTEMPTS = 3;

/** An emulator lives for a session: it must start quickly rather than reach the highest speed after minutes. */
const QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData";

/**
 * Becomes the emulator, with a watcher beside it in the same process group: when the pipe that we hold closes,
 * because we closed it or because we were killed, the watcher kills the whole group, itself too.
 */
const WITH_WATCHER = '{ read -r _ <&3; kill -KILL 0; } & exec "$@" 3<&-';

/**
 * Starts an emulator that answers `GET /` with 200 and waits until it does. It dies with this process, however this one dies.
 * Rejects with what the emulator said when it ends first or stays silent for longer than the patience.
 */
export async function startEmulator(emulator: EmulatorCommand): Promise<LocalServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await startOn(emulator, port);
    } catch (error) {
      const taken = error instanceof Error && /address already in use|failed to bind/i.test(error.message);
      if (!taken || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOn(emulator: EmulatorCommand, port: number): Promise<LocalServer> {
  const child = spawn("sh", ["-c", WITH_WATCHER, "sh", ...emulator.command(port)], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, JAVA_TOOL_OPTIONS: `${QUICK_START} ${process.env.JAVA_TOOL_OPTIONS ?? ""}` },
  });
  let words = "";
  const listen = (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-WORDS_MAX);
  };
  child.stdout?.on("data", listen);
  child.stderr?.on("data", listen);
  // "close" comes after the last of the group let go of the output: then nothing of it runs any more.
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = async () => {
    closeWatchPipe(child);
    await gone;
  };
  const failed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`ended with ${code ?? signal}`));
  });

  const patience = emulator.patience ?? 60_000;
  const stop = new AbortController();
  const outcome = await Promise.race([answers(port, stop.signal), failed, delay(patience, `silent for ${patience} ms`, stop)]);
  stop.abort();
  if (outcome === "answers") return { address: `127.0.0.1:${port}`, close: end };
  await end();
  throw new Error(`${emulator.name} did not start (${outcome}): ${words.trim() || "it said nothing"}`);
}

function closeWatchPipe(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (pipe instanceof net.Socket) pipe.destroy();
}

/** Resolves once `GET /` is answered with 200; never when the signal comes first. */
async function answers(port: number, signal: AbortSignal): Promise<"answers"> {
  while (true) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal });
      await response.arrayBuffer();
      if (response.ok) return "answers";
    } catch {
      // Not listening yet.
    }
    if (signal.aborted) return new Promise<never>(() => {});
    await delay(25);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("a listening socket has no port"));
        else resolve(address.port);
      });
    });
  });
}

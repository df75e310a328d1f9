import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import type { LocalServer } from "../server.ts";
import { type ClassArchive, classArchive } from "./class-archive.ts";

export interface EmulatorCommand {
  /** The emulator's name in error texts. */
  readonly name: string;
  /** The program and its arguments, for a free port. */
  command(port: number): readonly string[];
  /** The startup timeout, milliseconds; 60 s by default. */
  readonly patience?: number;
  /** What the archive of its classes is of. Without it there is no archive. */
  readonly classes?: { readonly name: string; readonly files: readonly string[]; readonly folder?: string };
}

export interface Emulator extends LocalServer {
  /** Closes it. If there is no archive of its classes yet, it writes one first, which takes a second: of all classes that it has loaded. */
  closeWithArchive(): Promise<void>;
}

/** The length of the emulator's last output in an error text. */
const WORDS_MAX = 4_000;

/** Another process may take the free port before the emulator does. */
const ATTEMPTS = 3;

/** Emulators are short-lived: a quick start matters more than peak speed after minutes. Other JVMs than Java's own lack some of these. */
const QUICK_START = "-XX:+IgnoreUnrecognizedVMOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData";

/** The exit code of a JVM that has ended by SIGTERM, after all that it does at its end. */
const TERMINATED = 128 + 15;

/**
 * Becomes the emulator, with a watcher in the same process group. When our end of the pipe closes, by `close` or because this process was
 * killed, the watcher kills the whole group including itself.
 */
const WITH_WATCHER = '{ read -r _ <&3; kill -KILL 0; } & exec "$@" 3<&-';

/**
 * Starts an emulator that answers `GET /` with 200 and waits for that answer. The emulator dies with this process, however this one dies.
 * Rejects with the emulator's output if it exits first or does not answer within the timeout.
 */
export async function startEmulator(emulator: EmulatorCommand): Promise<Emulator> {
  const given = process.env.JAVA_TOOL_OPTIONS ?? "";
  const archive = emulator.classes && classArchive({ ...emulator.classes, options: `${QUICK_START} ${given}` });
  const options = `${QUICK_START} ${archive?.option ?? ""} ${given}`;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await startOn(emulator, port, { options, archive });
    } catch (error) {
      const taken = error instanceof Error && /address already in use|failed to bind/i.test(error.message);
      if (!taken || attempt === ATTEMPTS) throw error;
    }
  }
}

interface Jvm {
  readonly options: string;
  readonly archive: ClassArchive | undefined;
}

async function startOn(emulator: EmulatorCommand, port: number, { options, archive }: Jvm): Promise<Emulator> {
  const child = spawn("sh", ["-c", WITH_WATCHER, "sh", ...emulator.command(port)], {
    // Java under a locale without UTF-8 cannot name our folder if that has other letters than ASCII's, and fails.
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, JAVA_TOOL_OPTIONS: options },
  });
  let words = "";
  const listen = (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-WORDS_MAX);
  };
  child.stdout?.on("data", listen);
  child.stderr?.on("data", listen);
  // "close" fires when the last process of the group has closed its output. Then no process of it is left.
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = async () => {
    closeWatchPipe(child);
    await exited;
  };
  const endWithArchive = async () => {
    if (archive?.keep && child.exitCode === null && child.signalCode === null) {
      const terminated = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      if ((await terminated) === TERMINATED) archive.keep();
    }
    await end();
  };
  const failed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`ended with ${code ?? signal}`));
  });

  const patience = emulator.patience ?? 60_000;
  const stop = new AbortController();
  const outcome = await Promise.race([answers(port, stop.signal), failed, delay(patience, `silent for ${patience} ms`, stop)]);
  stop.abort();
  if (outcome === "answers") return { address: `127.0.0.1:${port}`, close: end, closeWithArchive: endWithArchive };
  await end();
  throw new Error(`${emulator.name} did not start (${outcome}): ${words.trim() || "no output"}`);
}

function closeWatchPipe(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (pipe instanceof Socket) pipe.destroy();
}

/** Resolves once `GET /` is answered with 200. Never resolves after the signal. */
async function answers(port: number, signal: AbortSignal): Promise<"answers"> {
  while (true) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal });
      await response.arrayBuffer();
      if (response.ok) return "answers";
    } catch {
      // It is not listening yet.
    }
    if (signal.aborted) return new Promise<never>(() => {});
    await delay(25);
  }
}

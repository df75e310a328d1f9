import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** A running program of a browser. */
export interface BrowserProgram {
  readonly stdout: Readable;
  /** Returns what `open` makes of the running program. Stops it if that fails, and fails if the program ends before. */
  opened<T>(open: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Starts a program in a process group of its own: a browser is several processes, and all of them end with it. */
export function startProgram(program: string, args: readonly string[], environment: Readonly<Record<string, string>>): BrowserProgram {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "ignore"], detached: true });
  const closed = once(child, "close");
  const failure = closed.then(([code, signal]) => Promise.reject(new Error(`${program} has ended (${signal ?? code})`)));
  failure.catch(() => undefined);
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
    await closed;
  };
  return {
    stdout: child.stdout,
    opened: async (open) => {
      try {
        return await Promise.race([open(), failure]);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

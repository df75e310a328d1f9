import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { peakMib } from "./process-memory.ts";

/** How often the peak of a process's memory is read: it is gone with the process. */
const LOOK_EVERY_MS = 50;

/** A process that has ended. */
export interface Watched {
  /** Its lines, each with the milliseconds since the process's start. */
  readonly lines: readonly { readonly text: string; readonly ms: number }[];
  /** When it was started, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  /** The peak resident memory, MiB. */
  readonly peakMib: number;
}

/** Runs a file of `scripts` in a process of its own. Throws with its errors if it fails. Linux only. */
export async function watchProcess(file: string, args: readonly string[]): Promise<Watched> {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const startedAt = Date.now();
  const start = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, path, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const lines: { text: string; ms: number }[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => lines.push({ text, ms: performance.now() - start }));
  createInterface({ input: child.stderr }).on("line", (text) => errors.push(text));
  let peak = 0;
  const timer = setInterval(() => {
    // Between its end and the event of it, a process has no memory.
    if (child.pid !== undefined && child.exitCode === null) peak = Math.max(peak, peakMib(child.pid) || 0);
  }, LOOK_EVERY_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(`${file} exited with ${code}: ${errors.join("\n")}`);
  return { lines, startedAt, ms: performance.now() - start, peakMib: peak };
}

import { type ChildProcess, fork } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { Fed, type Feed, StartFailed } from "./messages.ts";

/** A process of ours that has said that it is ready. */
export interface Child<T> {
  readonly process: ChildProcess;
  readonly ready: T;
  /** Resolves with what it says after that; throws one line when it says that it failed, or ends first. */
  readonly next: Promise<unknown>;
}

interface ChildOptions<T> {
  /** Beside this file. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly ready: v.GenericSchema<unknown, T>;
}

/**
 * Starts a process of the local service and waits for its ready message. Its output goes to a file; its channel to us tells it when we are
 * gone. Throws one line when it says that it cannot start, or ends before it is ready.
 */
export function startChild<T>({ file, args = [], env, logFile, ready }: ChildOptions<T>): Promise<Child<T>> {
  const log = openSync(logFile, "a", 0o600);
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args], {
    env: { ...env },
    // Short-lived objects of many requests at a time die young: a wide nursery spares their copying.
    execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=64"],
    stdio: ["ignore", log, log, "ipc"],
  });
  const said = spoken(child, `${file} ended before it was ready; see ${logFile}`);
  const next = said.then(() => spoken(child, `${file} ended; see ${logFile}`));
  // Not everybody asks for it.
  next.catch(() => undefined);
  return said
    .then((message) => ({ process: child, ready: v.parse(ready, message), next }))
    .catch((error: unknown) => {
      // A child that was started for nothing must not outlive the attempt.
      child.kill("SIGKILL");
      throw error;
    });
}

/** The next message of a child. */
function spoken(child: ChildProcess, ended: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error(ended));
    child.once("exit", gone);
    child.once("error", reject);
    child.once("message", (message) => {
      child.off("exit", gone);
      child.off("error", reject);
      const failed = v.safeParse(StartFailed, message);
      if (failed.success) reject(new Error(failed.output.failed));
      else resolve(message);
    });
  });
}

/** Asks the local cloud to load a tick of presence and resolves when it is there, or when that process is gone. */
export function askFeed(cloud: ChildProcess, tick: Date): Promise<void> {
  const feed = tick.toISOString();
  return new Promise((resolve) => {
    const done = (): void => {
      cloud.off("message", listen);
      cloud.off("exit", done);
      resolve();
    };
    const listen = (message: unknown): void => {
      const answer = v.safeParse(Fed, message);
      if (answer.success && answer.output.fed === feed) done();
    };
    cloud.on("message", listen);
    cloud.once("exit", done);
    cloud.send({ feed } satisfies Feed, (error) => error && done());
  });
}

/** Asks a process to end, and sees to it after five seconds. */
export function endChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

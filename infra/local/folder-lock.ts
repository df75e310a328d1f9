import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DuckDBInstance } from "@duckdb/node-api";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { LOCK } from "./data-directory.ts";
import { isDiskFull } from "./disk-full.ts";
import { writeFailure } from "./write-failure.ts";

/** A process whose parent was killed exits within three seconds. */
const WAIT_MS_MAX = 4000;
const ASK_AGAIN_MS = 50;
const PROBE_BYTES = 4 * 1024 * 1024;

/** Keeps a reference: Node closes unreferenced instances. */
const held = new Map<string, DuckDBInstance>();

/** Another process holds the file. */
export class FolderInUse extends Error {
  /** The id of that process, if known. */
  readonly holder: number | undefined;

  constructor(file: string, holder: number | undefined) {
    super(`Another process holds ${file}`);
    this.holder = holder;
  }
}

/**
 * Locks a file until this process ends, however it ends. Node has no such lock; the lock of an empty DuckDB database serves instead.
 * Succeeds if this process already holds it. Throws `FolderInUse` if another process still holds it after `waitMs` milliseconds, and the
 * system's error if the file cannot be written.
 */
export async function holdFile(file: string, waitMs: number): Promise<void> {
  if (held.has(file)) return;
  // A start that is refused for its options does without it.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  for (const since = Date.now(); ; await wait(ASK_AGAIN_MS)) {
    try {
      held.set(file, await DuckDBInstance.create(file));
      return;
    } catch (error) {
      const text = messageOf(error);
      if (isTorn(file, text)) {
        rmSync(file);
        continue;
      }
      if (isDiskFull(error) || !/could not set lock/i.test(text)) throw error;
      const holder = /PID (\d+)/.exec(text)?.[1];
      if (Date.now() - since >= waitMs) throw new FolderInUse(file, holder === undefined ? undefined : Number(holder));
    }
  }
}

/** Whether a process died or ran out of space while it created the file. Nobody holds such a file: DuckDB locks before it reads. */
function isTorn(file: string, message: string): boolean {
  if (!/not a valid DuckDB database|could not read enough bytes/i.test(message)) return false;
  const content = readFileSync(file);
  return content.length === 0 || content.toString("latin1", 8, 12) === "DUCK";
}

/** Releases a file before the end of this process. */
export function releaseFile(file: string): void {
  held.get(file)?.closeSync();
  held.delete(file);
}

/**
 * Locks a data folder until this process ends, however it ends, and checks that it is writable. Throws a one-line error if another process
 * holds the folder, it is not writable, or there is no space.
 */
export async function holdFolder(directory: string): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await holdFile(join(directory, LOCK), WAIT_MS_MAX);
    probe(directory);
  } catch (error) {
    if (isDiskFull(error)) throw new Error(noRoom(directory));
    if (error instanceof FolderInUse) {
      const process = error.holder === undefined ? "" : ` (${error.holder})`;
      throw new Error(`Another process${process} uses ${directory}; stop it, or choose another folder with --data DIR`);
    }
    const failure = writeFailure(error);
    if (failure === undefined) throw error;
    throw new Error(`The folder ${directory} cannot be written (${failure}); choose another one with --data DIR`);
  }
}

/** The error message of a start without space for its data. */
export function noRoom(directory: string): string {
  return `No space left for the data in ${directory}: its disk is full. Free some space and start again; the stored data is intact`;
}

/** Detects a full disk at the start instead of later. */
function probe(directory: string): void {
  const path = join(directory, "room");
  const bytes = Buffer.alloc(PROBE_BYTES);
  const file = openSync(path, "w", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

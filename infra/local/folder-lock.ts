import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { LOCK } from "./data-directory.ts";
import { isDiskFull } from "./disk-full.ts";

/** A process whose parent was killed has its end within three seconds. */
const WAIT_MS_MAX = 4000;
const ASK_AGAIN_MS = 50;
const PROBE_BYTES = 4 * 1024 * 1024;

/** What nobody refers to, Node lets go of. */
const held = new Map<string, DuckDBInstance>();

/** Another process holds a file. */
export class FolderInUse extends Error {
  /** That process, where it is known. */
  readonly holder: number | undefined;

  constructor(file: string, holder: number | undefined) {
    super(`Another process holds ${file}`);
    this.holder = holder;
  }
}

/**
 * Takes a file for this process until its end, however it ends. Node has no lock that goes with its process, DuckDB has: that of an (empty) database.
 * One that this process has already is taken. Throws `Held` when another process has it for as long as `waitMs` milliseconds, and what the system says of
 * a file that cannot be written.
 */
export async function holdFile(file: string, waitMs: number): Promise<void> {
  if (held.has(file)) return;
  for (const since = Date.now(); ; await wait(ASK_AGAIN_MS)) {
    try {
      held.set(file, await DuckDBInstance.create(file));
      return;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
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

/** Whether a process died, or had no room, while it made the file: nobody holds it then, since DuckDB locks before it looks. */
function isTorn(file: string, fault: string): boolean {
  if (!/not a valid DuckDB database|could not read enough bytes/i.test(fault)) return false;
  const content = readFileSync(file);
  return content.length === 0 || content.toString("latin1", 8, 12) === "DUCK";
}

/** Gives a file back before the end of this process. */
export function releaseFile(file: string): void {
  held.get(file)?.closeSync();
  held.delete(file);
}

/**
 * Takes a data folder for this process until its end, however it ends, and sees that it can be written. Throws one line when another process has the
 * folder, it cannot be written, or there is no room.
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
      throw new Error(`Another process${process} uses ${directory}; stop it, or name another folder with --data DIR`);
    }
    if (error instanceof Error && "code" in error)
      throw new Error(`The folder ${directory} cannot be written (${String(error.code)}); --data DIR names another one`);
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder ${directory} cannot be written; --data DIR names another one: ${text.split("\n")[0]}`);
  }
}

/** What a start says that found no room for its data. */
export function noRoom(directory: string): string {
  return `There is no room left for the data in ${directory}: its disk is full. Make room and start again; what was kept is still there`;
}

/** Finds out now what would else be found out in the middle of the work. */
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

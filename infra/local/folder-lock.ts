import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
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
const held = new Set<DuckDBInstance>();

/**
 * Takes a data folder for this process until its end, however it ends, and sees that it can be written. Node has no lock that goes with its process, DuckDB has:
 * that of an (empty) database. Throws one line when another process has the folder, it cannot be written, or there is no room.
 */
export async function holdFolder(directory: string): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    held.add(await locked(directory));
    probe(directory);
  } catch (error) {
    if (isDiskFull(error)) throw new Error(noRoom(directory));
    if (error instanceof Error && "code" in error)
      throw new Error(`The folder ${directory} cannot be written (${String(error.code)}); --data DIR names another one`);
    throw error;
  }
}

/** What a start says that found no room for its data. */
export function noRoom(directory: string): string {
  return `There is no room left for the data in ${directory}: its disk is full. Make room and start again; what was kept is still there`;
}

async function locked(directory: string): Promise<DuckDBInstance> {
  for (const since = Date.now(); ; await wait(ASK_AGAIN_MS)) {
    try {
      return await DuckDBInstance.create(join(directory, LOCK));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (isDiskFull(error)) throw error;
      if (!/lock/i.test(text))
        throw new Error(`The folder ${directory} cannot be written; --data DIR names another one: ${text.split("\n")[0]}`);
      if (Date.now() - since > WAIT_MS_MAX) {
        const holder = /PID (\d+)/.exec(text)?.[1];
        throw new Error(
          `Another process${holder === undefined ? "" : ` (${holder})`} uses ${directory}; stop it, or name another folder with --data DIR`,
        );
      }
    }
  }
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

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const LOOK_MS = 200;

/** The folder of installed clients. It is outside the project, so that every copy of the project uses the same. */
function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "populus-clients");
}

/**
 * Returns a folder of the cache, filled by `fill` if it is not there. What fails leaves nothing behind. One process fills it, others wait.
 * @param name names the content, with a hash of what decides it
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const kept = join(cacheFolder(), name);
  const lock = `${kept}.lock`;
  mkdirSync(dirname(kept), { recursive: true });
  while (!existsSync(kept)) {
    if (!takes(lock)) {
      await delay(LOOK_MS);
      continue;
    }
    const made = mkdtempSync(`${kept}-new-`);
    try {
      await fill(made);
      renameSync(made, kept);
    } catch (error) {
      // Two processes have removed the lock of one that has ended, and both have filled it.
      if (!existsSync(kept)) throw error;
    } finally {
      rmSync(made, { recursive: true, force: true });
      rmSync(lock, { force: true });
    }
  }
  return kept;
}

/** Takes a lock: a file with the id of its process. One of a process that has ended is removed. */
function takes(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, "utf8"));
    // Empty for the moment between its creation and its content.
    if (holder !== 0) process.kill(holder, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

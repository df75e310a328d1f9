import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The folder of installed clients. It is outside the project, so that every copy of the project uses the same. */
function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "populus-clients");
}

/** Whether the cache has a folder of this name, filled. */
export function isCached(name: string): boolean {
  return existsSync(join(cacheFolder(), name));
}

/**
 * Returns a folder of the cache, filled by `fill` if it is not there. What fails leaves nothing behind. Two processes may fill it at once:
 * the first one counts.
 * @param name names the content, with a hash of what decides it
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const kept = join(cacheFolder(), name);
  if (existsSync(kept)) return kept;
  mkdirSync(dirname(kept), { recursive: true });
  const made = mkdtempSync(`${kept}-new-`);
  try {
    await fill(made);
    renameSync(made, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return kept;
}

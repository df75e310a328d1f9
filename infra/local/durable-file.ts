import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a small file atomically: after a crash it holds the old text or the new one, never a part. The text is on the disk when this
 * returns. The file has mode 0600; a new folder has mode 0700. Throws the system's error, such as ENOSPC.
 */
export function writeDurably(path: string, text: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  try {
    const file = openSync(temporary, "w", 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Returns the text of a file, or undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes the names in a folder survive a power failure. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

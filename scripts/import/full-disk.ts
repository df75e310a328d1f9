import { dirname } from "node:path";
import { ImportError } from "./import-error.ts";

/** What the system and DuckDB say of a disk that is full, or a quota that is used up. */
const FULL = /no space left on device|disk quota exceeded/i;

/** Returns the error to throw for one of an import's own files: what to do if there is no room for it, else the error as it is. */
export function fileError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && FULL.test(error.message))) return error;
  return new ImportError(
    `No space is left in ${dirname(folder)}, where an import has the rows of its file until it ends: free some, or name a folder on another disk by the variable TMPDIR, and import the file again`,
  );
}

/** Whether an error is of a system call of this process, and not of what a server has answered. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

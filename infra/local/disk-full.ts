/** The error codes of a write without disk space: full disk, exceeded quota, file size limit. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** The same errors as text of the C library, which DuckDB passes on, and of SQLite. */
const WORDS = /No space left on device|Disk quota exceeded|File too large|database or disk is full/;

/** Whether an error, or its cause, means that there is no disk space left. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && CODES.has(String(error.code))) return true;
  return WORDS.test(error.message) || isDiskFull(error.cause);
}

/** The system's codes for a write that found no room: the disk, the quota, the largest file allowed. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** The same in the words of the C library, which DuckDB passes on. */
const WORDS = /No space left on device|Disk quota exceeded|File too large/;

/** Whether something failed because there was no room to write, whoever noticed it, or what it names as its cause. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && CODES.has(String(error.code))) return true;
  return WORDS.test(error.message) || isDiskFull(error.cause);
}

/** DuckDB's errors have no codes, but the name of their kind first. */
const DUCKDB = /^[A-Z][A-Za-z ]* Error: /;

/**
 * Returns why a folder cannot be written, in a few words, if an error says so: an error of a call of the system, or of DuckDB about its file.
 * Undefined for any other, such as a package that is not there: another folder would not help.
 */
export function writeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error) return "syscall" in error ? String(error.code) : undefined;
  const [line = ""] = error.message.split("\n");
  if (!DUCKDB.test(line)) return undefined;
  return /Permission denied|Read-only file system|No space left on device/.exec(line)?.[0] ?? line;
}

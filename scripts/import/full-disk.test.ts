import { expect, test } from "vitest";
import { fileError, isOfSystem } from "./full-disk.ts";
import { ImportError } from "./import-error.ts";

test.each([
  'TransactionContext Error: Failed to commit: Could not write file "/tmp/populus-import-a/import.duckdb.wal": No space left on device',
  "ENOSPC: no space left on device, write",
  "EDQUOT: disk quota exceeded, write",
])("%s: the import says where there is no room, and what to do", (message) => {
  const error = fileError(new Error(message), "/tmp/populus-import-a");
  expect(error).toBeInstanceOf(ImportError);
  expect(String(error)).toContain(
    "No space is left in /tmp, where an import has the rows of its file until it ends: free some, or name a folder",
  );
});

test("any other error stays as it is", () => {
  const error = new Error("Catalog Error: Table with name rows does not exist");
  expect(fileError(error, "/tmp/populus-import-a")).toBe(error);
});

test("what a server has answered is none of this process", () => {
  expect(isOfSystem(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" }))).toBe(true);
  expect(isOfSystem(Object.assign(new Error("no space left on device"), { code: 500 }))).toBe(false);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a file to a temporary folder that is removed after the test. Returns its path. */
export function madeFile(name: string, content: string | Uint8Array): string {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

/** Writes a CSV file with a header and lines. Returns its path. */
export function madeCsv(...lines: readonly string[]): string {
  return madeFile("made.csv", `${lines.join("\n")}\n`);
}

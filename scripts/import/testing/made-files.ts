import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a file in a folder of the test's own, which goes when the test is over; gives its path. */
export function madeFile(name: string, content: string | Uint8Array): string {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

/** A CSV file of a header and lines. */
export function madeCsv(...lines: readonly string[]): string {
  return madeFile("made.csv", `${lines.join("\n")}\n`);
}

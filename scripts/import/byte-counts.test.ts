import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type CountedFile, countBytes } from "./byte-counts.ts";
import { madeFile } from "./testing/made-files.ts";

const going = new AbortController().signal;
const isKnown = (byte: number): boolean => byte !== 0;

function countsOf(text: Uint8Array): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const byte of text) counts[byte] = (counts[byte] ?? 0) + 1;
  return counts;
}

function shown(counted: CountedFile | undefined): unknown {
  if (!counted) return undefined;
  const { counts, last, checksum } = counted;
  return { counts: Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0)), last, checksum };
}

test.each([
  ["an even number of bytes", Buffer.from("head\n1,22,333\n")],
  ["an odd number of bytes", Buffer.from("head\n1,22,333")],
  ["nothing behind the header", Buffer.from("head\n")],
  ["several chunks, the last one odd", Buffer.from(`head\n${"1,2,-3\n".repeat(1_300_000)}7`)],
])("each byte behind the header is counted, and all of the file is hashed: %s", async (_name, content) => {
  expect(shown(await countBytes(madeFile("made.csv", content), { skipped: 5, isKnown, signal: going }))).toEqual({
    counts: countsOf(content.subarray(5)),
    last: content.at(-1),
    checksum: createHash("sha256").update(content).digest("hex"),
  });
});

test("a byte that is not known ends it, at any place but in the header", async () => {
  for (const at of [5, 6, 4_999_999, 9_000_000]) {
    const content = Buffer.alloc(9_000_001, "1");
    content[at] = 0;
    expect(await countBytes(madeFile("made.csv", content), { skipped: 5, isKnown, signal: going })).toBeUndefined();
  }
  expect(await countBytes(madeFile("made.csv", "\0head\n1"), { skipped: 6, isKnown, signal: going })).toBeDefined();
});

test("so does the signal", async () => {
  expect(await countBytes(madeFile("made.csv", "head\n1"), { skipped: 5, isKnown, signal: AbortSignal.abort() })).toBeUndefined();
});

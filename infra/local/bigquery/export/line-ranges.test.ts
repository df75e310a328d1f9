import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineRanges } from "./line-ranges.ts";

let directory: string;
let file: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "populus-ranges-"));
  file = join(directory, "lines");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Returns the texts of the ranges of a complete file. */
async function pieces(text: string, targetBytes: number, quoted: boolean): Promise<string[]> {
  await writeFile(file, text);
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for await (const { start, end } of lineRanges(file, targetBytes, quoted, () => true)) found.push(bytes.toString("utf8", start, end));
  return found;
}

const value = fc.string({ unit: fc.constantFrom("a", "é", ",", '"', "\n"), maxLength: 12 });

describe.each([
  { what: "values in quotes", quoted: true, line: (text: string) => `1,"${text.replaceAll('"', '""')}"\n` },
  { what: "no quotes", quoted: false, line: (text: string) => `{"a":${JSON.stringify(text)}}\n` },
])("lines with $what", ({ quoted, line }) => {
  it("are each in one range, in order, and a range ends with the line that reaches the target", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 80 }), async (values, target) => {
        const lines = values.map(line);
        const found = await pieces(lines.join(""), target, quoted);
        expect(found.join("")).toBe(lines.join(""));
        const ends = [0, ...lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join("")))];
        let start = 0;
        for (const [index, piece] of found.entries()) {
          const end = start + Buffer.byteLength(piece);
          expect(ends).toContain(end);
          if (index < found.length - 1) expect(end - start).toBeGreaterThanOrEqual(target);
          expect((ends[ends.indexOf(end) - 1] ?? 0) - start).toBeLessThanOrEqual(target);
          start = end;
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("longer than one read stay whole", async () => {
    const long = line(`${"x".repeat(3_000_000)}\n${"y".repeat(10)}`);
    expect(await pieces(long + long, 100, quoted)).toEqual([long, long]);
  });

  it("are found while the file is written", async () => {
    await writeFile(file, "");
    let written = false;
    const ranges = lineRanges(file, 10, quoted, () => written);
    const first = ranges.next();
    await appendFile(file, line("first, long enough").slice(0, 12));
    await appendFile(file, line("first, long enough").slice(12));
    const end = line("first, long enough").length;
    expect(await first).toEqual({ done: false, value: { start: 0, end } });
    const second = ranges.next();
    await appendFile(file, "2\n");
    written = true;
    expect(await second).toEqual({ done: false, value: { start: end, end: end + 2 } });
    expect((await ranges.next()).done).toBe(true);
  });

  it("of an empty file yield one empty range", async () => {
    expect(await pieces("", 10, quoted)).toEqual([""]);
  });
});

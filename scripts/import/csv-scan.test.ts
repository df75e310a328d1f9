import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvScan } from "./csv-scan.ts";
import { csvSource } from "./testing/csv-source-under-test.ts";

function scanned(text: string, chunkSize = text.length): CsvScan {
  const scan = new CsvScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkSize)) scan.feed(bytes.subarray(at, at + Math.max(1, chunkSize)));
  scan.finish();
  return scan;
}

function lines(scan: CsvScan): number[] {
  return Array.from({ length: scan.records }, (_, index) => scan.lineOf(index + 1));
}

describe("lines of records", () => {
  test("count quoted line breaks and blank lines before a record", () => {
    expect(lines(scanned('a,b\n1,2\n"x\ny\n",3\n\n\n4,5\n'))).toEqual([2, 3, 8]);
  });

  test("may end in CR LF; the last one may lack a line ending", () => {
    expect(lines(scanned('a,b\r\n1,2\r\n"x\r\ny",3\r\n4,5'))).toEqual([2, 3, 5]);
  });

  test("a header may span several lines", () => {
    const scan = scanned('"a\nx","say ""b"""\n1,2\n');
    expect(scan.header).toEqual(["a\nx", 'say "b"']);
    expect(lines(scan)).toEqual([3]);
  });

  test("a byte order mark is not part of the first name", () => {
    expect(scanned('\ufeff"a",b\n1,2\n').header).toEqual(["a", "b"]);
  });

  test("empty names at either end of the header count", () => {
    expect(scanned(",a,\n1,2,3\n").header).toEqual(["", "a", ""]);
  });
});

describe("malformed records are reported with their line", () => {
  test.each([
    ["a,b\n1\n", "line 2", "1 value where the header has 2 columns"],
    ["a,b\n1,2\n1,2,3\n", "line 3", "3 values where the header has 2 columns"],
    ['a,b\n1,"2"x\n', "line 2", "text follows a closing quotation mark"],
    ['a,b\n1,2"x\n', "line 2", "a quotation mark inside a value"],
    ['a,b\n1,2\n3,"4\n5,6\n', "line 3", "a quotation mark is opened and never closed"],
    ["a,b\n1,2\r3,4\n", "line 2", "a carriage return without a line feed"],
    ["a,b\n \n", "line 2", "1 value where the header has 2 columns"],
  ])("%j", (text, where, says) => {
    const scan = scanned(text);
    expect(scan.faultCount).toBe(1);
    expect(scan.faults).toEqual([{ where, position: Number(where.slice(5)), says: expect.stringContaining(says) }]);
  });

  test("all are counted; the first hundred are kept", () => {
    const scan = scanned(`a,b\n${"1\n".repeat(125)}`);
    expect(scan.faultCount).toBe(125);
    expect(scan.faults).toHaveLength(100);
  });
});

/** Scans bytes in chunks with and without salvage. */
function salvaged(bytes: Uint8Array, chunkSize: number) {
  const kept: Uint8Array[] = [];
  const plain = new CsvScan();
  const salvage = new CsvScan((record) => kept.push(record));
  for (const scan of [plain, salvage]) {
    for (let at = 0; at < bytes.length; at += chunkSize) scan.feed(bytes.subarray(at, at + chunkSize));
    scan.finish();
  }
  return { plain, salvage, text: Buffer.concat(kept).toString() };
}

describe("bytes that are not text", () => {
  test("are rejected at once if one is zero", () => {
    expect(() => scanned("a,b\n1,\0\n")).toThrow("line 2: a zero byte");
  });

  test.each([
    ["Latin-1", Buffer.from("a,b\n1,2\nTr\xf8ndelag,3\n4,5\nS\xf8r,6\n", "latin1"), [3, 5], "a,b\n1,2\n4,5\n"],
    ["text that ends inside a character", Buffer.from("a,b\n1,2\n1,é").subarray(0, -1), [3], "a,b\n1,2\n"],
  ])("are reported with every line: %s", (_name, bytes, faulty, text) => {
    for (const chunkSize of [1, 3, 1000]) {
      const { plain, salvage, text: kept } = salvaged(bytes, chunkSize);
      expect([plain.hasOtherText, kept]).toEqual([true, text]);
      expect(salvage.faults).toEqual(
        faulty.map((line) => ({ where: `line ${line}`, position: line, says: ": not UTF-8 text; save the file in UTF-8" })),
      );
    }
  });
});

test("with salvage, the records that are left are well-formed and keep their lines", () => {
  const text = '\ufeffa,b\n1\n\n"x\n",2\n3,4,5\n6,7\r\n8,"9"z\n10,11';
  for (const chunkSize of [1, 2, 5, 1000]) {
    const { salvage, text: kept } = salvaged(Buffer.from(text), chunkSize);
    expect(kept.replace("\ufeff", "")).toBe('a,b\n"x\n",2\n6,7\r\n10,11');
    expect(lines(salvage)).toEqual([4, 7, 9]);
    expect(salvage.faults.map(({ where }) => where)).toEqual(["line 2", "line 6", "line 8"]);
  }
});

const VALUE = fc.stringMatching(/^[a-zé€😀 ",\n]{0,6}$/u);
const FILE = fc.record({
  rows: fc.array(fc.tuple(VALUE, VALUE), { minLength: 1, maxLength: 8 }),
  newline: fc.constantFrom("\n", "\r\n"),
  blanks: fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
  ended: fc.boolean(),
});

/** Generates the text of a file and the line on which each of its rows begins. */
function written({ rows, newline, blanks, ended }: typeof FILE extends fc.Arbitrary<infer Value> ? Value : never) {
  const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  let text = `a,b${newline}`;
  const at: number[] = [];
  for (const [index, row] of rows.entries()) {
    text += newline.repeat(blanks[index] ?? 0);
    at.push(text.split("\n").length);
    text += row.map(quoted).join(",") + (ended || index < rows.length - 1 ? newline : "");
  }
  return { text, at };
}

test("the line numbers do not depend on how the bytes are chunked", () => {
  fc.assert(
    fc.property(FILE, fc.integer({ min: 1, max: 7 }), (file, chunkSize) => {
      const { text, at } = written(file);
      const scan = scanned(text, chunkSize);
      expect(scan.faultCount).toBe(0);
      expect(lines(scan)).toEqual(at);
    }),
    { seed: 1 },
  );
});

test("chunks without quotation marks are taken faster, with the same records, lines and errors", () => {
  const text = fc.array(fc.constantFrom("1,2", "1,2", "é,3", "4", "5,6,7", "", '"x",8', '"\n",9', "1\r", "0,1\r"), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.boolean(), fc.integer({ min: 1, max: 12 }), (rows, isEnded, chunkSize) => {
      const bytes = Buffer.from(`a,b\n${rows.join("\n")}${isEnded ? "\n" : ""}`);
      const { plain, salvage } = salvaged(bytes, chunkSize);
      expect([plain.faults, plain.faultCount, plain.longestRecord]).toEqual([salvage.faults, salvage.faultCount, salvage.longestRecord]);
      if (plain.faultCount === 0) expect(lines(plain)).toEqual(lines(salvage));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("DuckDB reads exactly the records that the scan counts", async () => {
  await fc.assert(
    fc.asyncProperty(FILE, async (file) => {
      expect(await csvSource(written(file).text)).toEqual(file.rows.map(([a, b]) => ({ a, b })));
    }),
    { seed: 1, numRuns: 40 },
  );
});

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
    expect(scan.faults).toEqual([{ where, says: expect.stringContaining(says) }]);
  });

  test("all are counted; the first twenty are kept", () => {
    const scan = scanned(`a,b\n${"1\n".repeat(25)}`);
    expect(scan.faultCount).toBe(25);
    expect(scan.faults).toHaveLength(20);
  });
});

describe("bytes that are not text are rejected with their line", () => {
  test.each([
    ["zero byte", Buffer.from("a,b\n1,\0\n"), "line 2: a zero byte"],
    ["Latin-1", Buffer.from("a,b\n1,2\nTr\xf8ndelag,3\n", "latin1"), "line 3: not UTF-8 text"],
    ["text that ends inside a character", Buffer.from("a,b\n1,é").subarray(0, -1), "line 2: not UTF-8 text"],
  ])("%s", (_name, bytes, says) => {
    const scan = new CsvScan();
    expect(() => {
      scan.feed(bytes);
      scan.finish();
    }).toThrow(says);
  });
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
  );
});

test("DuckDB reads exactly the records that the scan counts", async () => {
  await fc.assert(
    fc.asyncProperty(FILE, async (file) => {
      expect(await csvSource(written(file).text)).toEqual(file.rows.map(([a, b]) => ({ a, b })));
    }),
    { numRuns: 40 },
  );
});

import { describe, expect, it } from "vitest";
import { type CsvLine, csvLines } from "./csv-lines.ts";

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function linesOf(content: AsyncIterable<Buffer>): Promise<CsvLine[]> {
  const lines: CsvLine[] = [];
  for await (const line of csvLines(content)) lines.push(line);
  return lines;
}

describe("a line of a CSV file", () => {
  it.each([
    ["EST,171,220", ["EST", "171", "220"]],
    ['EST,"Tallinn, old town",220', ["EST", "Tallinn, old town", "220"]],
    ['"the ""old"" town",220', ['the "old" town', "220"]],
    [',"171",220', ["", "171", "220"]],
    ['"171",,220', ["171", "", "220"]],
    ['"171",', ["171", ""]],
    ['"","171"', ["", "171"]],
  ])("%s has its cells, empty and quoted ones too", async (text, cells) => {
    expect(await linesOf(chunksOf(text))).toEqual([{ line: 1, cells }]);
  });

  it("keeps its number and its characters where a chunk ends within it", async () => {
    const bytes = Buffer.from("\uFEFFname,people\r\nPõlva,20\r\n");
    async function* byteByByte(): AsyncGenerator<Buffer> {
      for (const byte of bytes) yield Buffer.from([byte]);
    }
    expect(await linesOf(byteByByte())).toEqual([
      { line: 1, cells: ["name", "people"] },
      { line: 2, cells: ["Põlva", "20"] },
    ]);
  });
});

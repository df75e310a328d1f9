/** A line of a CSV file: its number, the first being 1, and its cells. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file of longer lines is none of ours. */
const LINE_CHARS_MAX = 1_000_000;

/** A line is longer than any of ours. */
export class LongLine extends Error {
  constructor() {
    super(`A line has more than ${LINE_CHARS_MAX.toLocaleString("en")} characters`);
    this.name = "LongLine";
  }
}

/** Reads the lines of a CSV file: UTF-8, commas, quotation marks doubled within quotes, no line breaks within quotes. Throws a LongLine. */
export async function* csvLines(content: AsyncIterable<Buffer>): AsyncGenerator<CsvLine> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX) throw new LongLine();
    for (const text of lines) yield { line: ++line, cells: cellsOf(text) };
  }
  rest += decoder.decode();
  if (rest !== "") yield { line: line + 1, cells: cellsOf(rest) };
}

function cellsOf(text: string): string[] {
  const line = text.replace(/\r$/, "").replace(/^\uFEFF/, "");
  if (!line.includes('"')) return line.split(",");
  // Commas are looked at and not matched: after an empty match, `matchAll` would pass over the one that follows.
  return [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}

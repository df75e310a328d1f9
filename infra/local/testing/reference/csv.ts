/** The lines of a CSV text (RFC 4180), each as its fields. Throws a SyntaxError for a quote that is not closed and for an unfinished last line. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
    fields.push(field);
    if (text[end] === "\n") {
      lines.push(fields);
      fields = [];
    } else if (text[end] !== ",") throw new SyntaxError(`CSV: "," or a line's end is missing at ${end}`);
    at = end + 1;
  }
  if (fields.length > 0) throw new SyntaxError("CSV: the last line has no end");
  return lines;
}

/** A field and where it ends. */
function plainField(text: string, start: number): [string, number] {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n") end++;
  return [text.slice(start, end), end];
}

function quotedField(text: string, start: number): [string, number] {
  let field = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') field += text[at];
    else if (text[at + 1] === '"') field += text[++at];
    else return [field, at + 1];
  }
  throw new SyntaxError(`CSV: the quote at ${start} is not closed`);
}

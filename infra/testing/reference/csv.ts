/** Parses CSV text (RFC 4180) into lines of fields. Throws a SyntaxError for an unclosed quote or an unterminated last line. */
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
    } else if (text[end] !== ",") throw new SyntaxError(`CSV: "," or a line end is missing at ${end}`);
    at = end + 1;
  }
  if (fields.length > 0) throw new SyntaxError("CSV: the last line is unterminated");
  return lines;
}

/** Returns a field and the index of its end. */
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

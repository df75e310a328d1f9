/** What differs between runs, and the word that it is compared as. The order matters: an earlier pattern takes its text first. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/ya29\.\S*?(?=[",\s]|$)/g, "TOKEN"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{8}-…/g, "UUID"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "TIME"],
  [/\b\d{4}-\d\d-\d\d\b/g, "DATE"],
  [/\b127\.0\.0\.1:\d+\b/g, "ADDRESS"],
  [/\b[0-9a-f]{64}\b|\b[0-9a-f]{6,}…/g, "HEX"],
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{6}==/g, "CRC32C"],
  // A cursor holds the times of its page.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{32,}(?![\w-])/g, "CURSOR"],
  // A uid, and the id of a map.
  [/(?<![A-Za-z0-9])[a-z0-9]{12}(?![A-Za-z0-9])/g, "UID"],
  [/(?<![A-Za-z0-9])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]{20}(?![A-Za-z0-9])/g, "ID"],
  [/[█▏▎▍▌▋▊▉]+/g, "BAR"],
  [/(?<![A-Za-z_\d])-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?/g, "0"],
];

/** Returns a text with everything that differs between runs replaced, and with single spaces. */
export function normalised(text: string): string {
  const replaced = VARIABLE.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
  return replaced.replace(/\s+/g, " ").trim();
}

/**
 * Compares output that a page shows with real output by shape. Returns the first difference, undefined if there is none.
 *
 * Lines are compared by their words, with numbers, ids, times and addresses normalised. `…` alone in a line stands for any lines, within a
 * line for any text. The rows of a table are compared by their number of columns only: what is counted differs from day to day.
 */
export function textDifference(shown: string, actual: string): string | undefined {
  const segments = linesOf(shown)
    .join("\n")
    .split(/^\s*…$/m)
    .map((segment) => segment.split("\n").filter((line) => line !== ""));
  const real = linesOf(actual);
  let from = 0;
  for (const [index, segment] of segments.entries()) {
    if (segment.length === 0) continue;
    const isLast = index === segments.length - 1;
    const starts = index === 0 ? [0] : range(from, real.length);
    const candidates = isLast ? starts.filter((start) => index === 0 || start === Math.max(from, real.length - segment.length)) : starts;
    const found = candidates.find((start) => segment.every((line, offset) => isLike(line, real[start + offset])));
    if (found === undefined) return firstDifference(segment, real, candidates[0] ?? from);
    from = found + segment.length;
    if (isLast && from < real.length) return `the output continues: ${real[from]}`;
  }
  return undefined;
}

function firstDifference(segment: readonly string[], real: readonly string[], start: number): string {
  const wrong = segment.findIndex((line, offset) => !isLike(line, real[start + offset]));
  return `shown:  ${segment[wrong] ?? ""}\n  actual: ${real[start + wrong] ?? "(no such line)"}`;
}

/** Returns the normalised lines of an output without empty ones. The rows of a table become one line. */
function linesOf(output: string): string[] {
  const lines: string[] = [];
  let columns: readonly (readonly [number, number])[] | undefined;
  for (const line of output.split("\n")) {
    if (/^\s*-{3,}(?:\s{2,}-+)*\s*$/.test(line))
      columns = [...line.matchAll(/-+/g)].map((dashes) => [dashes.index, dashes.index + dashes[0].length]);
    else if (columns && !isRow(line, columns)) columns = undefined;
    const kept = columns ? rowShape(line, columns) : normalised(line);
    if (kept !== "" && (columns === undefined || kept !== lines.at(-1))) lines.push(kept);
  }
  return lines;
}

/** Tells whether a line has blanks between all columns. */
function isRow(line: string, columns: readonly (readonly [number, number])[]): boolean {
  return line.trim() !== "" && columns.slice(1).every(([start], index) => line.slice(columns[index]?.[1], start).trim() === "");
}

function rowShape(line: string, columns: readonly (readonly [number, number])[]): string {
  if (/^[\s-]+$/.test(line)) return columns.map(() => "---").join(" ");
  return `row of ${columns.length} columns`;
}

/** Tells whether a real line has the words of a shown one. */
function isLike(shown: string, real: string | undefined): boolean {
  if (real === undefined) return false;
  const pattern = shown.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`).test(real);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

import type { LandedObject, LandingBucket } from "../google/landing-bucket.ts";
import { columnName } from "./column-name.ts";
import { csvLines } from "./csv-lines.ts";
import { fileOf } from "./delivery.ts";

/** Where a row stands. */
export interface RowPlace {
  readonly file: string;
  readonly line: number;
}

/** Values of the key as text, by column: a column that the files do not have is told by their folder. */
type Key = ReadonlyMap<string, string>;

/**
 * Finds the lines of rows in CSV files by their keys; undefined for a row that is not found. Reads the files from the start, until all rows are
 * found. Of rows with the same key it finds one after the other.
 */
export async function locateRows(
  bucket: LandingBucket,
  files: readonly LandedObject[],
  keys: readonly Key[],
): Promise<(RowPlace | undefined)[]> {
  const places: (RowPlace | undefined)[] = keys.map(() => undefined);
  for (const file of files) {
    let header: readonly string[] | undefined;
    for await (const { line, cells } of csvLines(bucket.read(file.name))) {
      if (header === undefined) {
        header = cells.map(columnName);
        continue;
      }
      const columns = header;
      const found = keys.findIndex((key, index) => places[index] === undefined && isRow(key, columns, cells));
      if (found >= 0) places[found] = { file: fileOf(file), line };
      if (!places.includes(undefined)) return places;
    }
  }
  return places;
}

function isRow(key: Key, header: readonly string[], cells: readonly string[]): boolean {
  return [...key].every(([column, value]) => {
    const at = header.indexOf(column);
    return at < 0 || isSame((cells[at] ?? "").trim(), value);
  });
}

/** The warehouse writes numbers and instants in one way, files in any. */
function isSame(text: string, value: string): boolean {
  if (text === value) return true;
  if (/^-?\d+$/.test(value)) return /^[-+]?\d+$/.test(text) && BigInt(text.replace("+", "")) === BigInt(value);
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(instant) && Date.parse(isoOf(text)) === instant;
}

/** BigQuery also reads instants with a space in place of the T, and with ` UTC` in place of the Z. */
function isoOf(text: string): string {
  const joined = text.replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T").replace(/ ?UTC$/, "Z");
  return /(?:Z|[-+]\d{2}:?\d{2})$/.test(joined) ? joined : `${joined}Z`;
}

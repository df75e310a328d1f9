import type { Column } from "../google/columns.ts";
import { isCorruptGzip } from "../google/gunzipped.ts";
import type { LandedObject, LandingBucket } from "../google/landing-bucket.ts";
import { BadBatch, type BatchFault } from "./batch-fault.ts";
import { columnName } from "./column-name.ts";
import { csvLines, LongLine } from "./csv-lines.ts";
import { fileOf } from "./delivery.ts";

/** How many headers are read at once. */
const AT_ONCE = 8;

/**
 * Returns the columns of CSV files in their order, whatever the letter case of their names and the blanks around. Throws a BadBatch unless all have
 * the same header, with names of the table's columns and all that are required.
 */
export async function headerOf(
  bucket: LandingBucket,
  files: readonly LandedObject[],
  columns: readonly Column[],
  required: readonly string[],
): Promise<readonly Column[]> {
  const headers: (readonly string[])[] = [];
  for (let first = 0; first < files.length; first += AT_ONCE)
    headers.push(...(await Promise.all(files.slice(first, first + AT_ONCE).map((file) => firstLine(bucket, file)))));
  const [header = []] = headers;
  const faults = [
    ...faultsOfHeader(files[0], header, columns, required),
    ...headers.flatMap((other, index): BatchFault[] => {
      const file = files[index];
      if (!file || other.join() === header.join()) return [];
      return [
        {
          file: fileOf(file),
          line: 1,
          says: `has the header ${other.join(",")}`,
          right: `the header of the day's other files: ${header.join(",")}`,
        },
      ];
    }),
  ];
  if (faults.length > 0) throw new BadBatch(faults);
  return header.flatMap((name) => columns.filter((column) => column.name === name));
}

function faultsOfHeader(
  file: LandedObject | undefined,
  header: readonly string[],
  columns: readonly Column[],
  required: readonly string[],
): BatchFault[] {
  const right = `a header of ${columns.map(({ name }) => (required.includes(name) ? name : `${name} (optional)`)).join(", ")}`;
  const at = { file: file && fileOf(file), line: 1, right };
  const names = columns.map(({ name }) => name);
  return [
    ...header
      .filter((name) => !names.includes(name))
      .map((name) => ({ ...at, says: `column ${JSON.stringify(name)}: the table has no such column` })),
    ...header.filter((name, index) => header.indexOf(name) < index).map((name) => ({ ...at, says: `column ${name}: is there twice` })),
    ...required.filter((name) => !header.includes(name)).map((name) => ({ ...at, says: `column ${name}: is missing` })),
  ];
}

/** Throws a BadBatch for a file whose content cannot be read as lines: it is the same at the next delivery. */
async function firstLine(bucket: LandingBucket, { name }: LandedObject): Promise<readonly string[]> {
  const fault = (says: string, right: string): BadBatch => new BadBatch([{ file: fileOf({ name }), line: 1, says, right }]);
  try {
    for await (const { cells } of csvLines(bucket.read(name))) {
      if (cells[0]?.startsWith("PAR1")) throw fault("is a Parquet file", "a name that ends in .parquet, or a CSV file");
      if (cells.some((cell) => cell.includes("\r")))
        throw fault("has a carriage return without a line feed", "lines that end in a line feed");
      return cells.map(columnName);
    }
  } catch (error) {
    if (error instanceof LongLine) throw fault(error.message, "lines that end in a line feed");
    if (isCorruptGzip(error)) throw fault(`is a corrupt gzip file: ${error.message}`, "a whole gzip file, or one without .gz in its name");
    throw error;
  }
  return [];
}

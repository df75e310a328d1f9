import { mkdirSync, symlinkSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { ImportError } from "./import-error.ts";

/** A Parquet file, or one of the parts that a folder holds. */
export interface ParquetPart {
  /** Where it is read: a link whose path has no characters with a meaning in DuckDB. */
  readonly path: string;
  /** Its name in the folder; undefined for a file of its own. */
  readonly name: string | undefined;
  /** What folders say of its rows, each `batch_date=2026-03-01`. */
  readonly columns: readonly string[];
}

/** A folder that says the value of a column of all files in it, `batch_date=2026-03-01`. */
const COLUMN_FOLDER = /^\w+=/;

/**
 * Returns the parts of a file or folder, in the order of their names. As Spark has it, what begins with `_` or `.` is none of them, and the
 * names of folders may be columns. Throws an ImportError for a folder without parts.
 * @param pathOf returns a path in a folder of the import's own
 */
export async function partsOf(file: string, pathOf: (name: string) => string): Promise<ParquetPart[]> {
  if (!(await stat(file)).isDirectory()) return [{ path: linkTo(file, pathOf("source.parquet")), name: undefined, columns: [] }];
  const names = (await readdir(file, { recursive: true }))
    .filter((name) => name.endsWith(".parquet") && !name.split(sep).some((segment) => /^[_.]/.test(segment)))
    .sort();
  if (names.length === 0)
    throw new ImportError(`${file} is a folder without Parquet files; a folder is read as the parts of one Parquet file`);
  return names.map((name, index) => {
    const columns = dirname(name)
      .split(sep)
      .filter((segment) => COLUMN_FOLDER.test(segment));
    return { path: linkTo(join(file, name), join(pathOf("parts"), String(index), ...columns, "part.parquet")), name, columns };
  });
}

function linkTo(file: string, link: string): string {
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(resolve(file), link);
  return link;
}

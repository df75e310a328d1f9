import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, symlinkSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import { CsvScan } from "./csv-scan.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { readBytes } from "./file-bytes.ts";
import { ImportError } from "./import-error.ts";
import type { Source } from "./source.ts";

/** DuckDB's default maximum line size in bytes. */
const LINE_BYTES_DEFAULT = 2 << 20;
const RECORDS_WRITTEN_AT_ONCE = 4096;

/**
 * Opens a CSV file. Every value is text; an empty value is NULL unless it is quoted. Malformed lines are told, and are none of the rows. Throws an
 * ImportError for a file that is no CSV file with a header.
 */
export async function readCsv(file: string, gzip: boolean, duckdb: DuckDbSession): Promise<Source> {
  const hash = createHash("sha256");
  const scan = await scanned(file, gzip, hash, new CsvScan());
  assertHeader(file, scan.header);
  if (scan.faultCount > 0 || scan.hasOtherText) return readSound(file, gzip, duckdb);
  if (scan.records === 0) throw new ImportError(`${file} has a header and no rows`);
  // DuckDB treats `*` and `[` in a file name as a pattern, and requires unique column names.
  const link = duckdb.path(gzip ? "source.csv.gz" : "source.csv");
  symlinkSync(resolve(file), link);
  return sourceOf(scan, link, gzip, hash.digest("hex"));
}

async function scanned(file: string, gzip: boolean, hash: Hash, scan: CsvScan): Promise<CsvScan> {
  try {
    await readBytes(file, { gzip, hash, take: (chunk) => scan.feed(chunk) });
    scan.finish();
    return scan;
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(`${file}, ${error.message}`) : error;
  }
}

/** Opens the well-formed lines of a file: they may have errors, too, and all errors are told at once. */
async function readSound(file: string, gzip: boolean, duckdb: DuckDbSession): Promise<Source> {
  const path = duckdb.path("sound.csv");
  const output = openSync(path, "w");
  let kept: Uint8Array[] = [];
  const flush = (): void => {
    writeSync(output, Buffer.concat(kept));
    kept = [];
  };
  try {
    const hash = createHash("sha256");
    const salvage = new CsvScan((record) => {
      if (kept.push(record) === RECORDS_WRITTEN_AT_ONCE) flush();
    });
    const scan = await scanned(file, gzip, hash, salvage);
    flush();
    return sourceOf(scan, path, false, hash.digest("hex"));
  } finally {
    closeSync(output);
  }
}

function sourceOf(scan: CsvScan, path: string, gzip: boolean, checksum: string): Source {
  const names = scan.header.map((_, index) => `c${index}`);
  const options = (isParallel: boolean): string =>
    [
      "auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false",
      // The scan has already done strict mode's checks, and allows mixed line endings. One thread keeps the row order.
      `strict_mode = false, parallel = ${isParallel}`,
      `compression = '${gzip ? "gzip" : "none"}', max_line_size = ${Math.max(LINE_BYTES_DEFAULT, scan.longestRecord + 1024)}`,
      `columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(", ")}}`,
    ].join(", ");
  return {
    columns: scan.header.map((name, index) => ({ name, text: quotedIdentifier(`c${index}`) })),
    relation: `read_csv(${quotedString(path)}, ${options(false)})`,
    // Where lines begin is not known from the middle of a file with quoted values.
    parallelRelation: `read_csv(${quotedString(path)}, ${options(!scan.hasMarks)})`,
    rows: scan.records,
    checksum,
    placeOf: (row) => `line ${scan.lineOf(row)}`,
    positionOf: (row) => scan.lineOf(row),
    malformed: { first: scan.faults, total: scan.faultCount },
  };
}

function assertHeader(file: string, header: readonly string[]): void {
  const [only = ""] = header;
  if (header.length === 0) throw new ImportError(`${file} is empty`);
  if (only.startsWith("sep="))
    throw new ImportError(
      `${file}, line 1: ${JSON.stringify(header.join())} is for spreadsheets alone; remove the line: a CSV file begins with its header`,
    );
  if (header.length === 1 && /[;\t|]/.test(only))
    throw new ImportError(`${file}: columns must be separated by commas, and its header has none: ${JSON.stringify(only)}`);
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) throw new ImportError(`${file}: the header names the column ${JSON.stringify(twice)} twice`);
}

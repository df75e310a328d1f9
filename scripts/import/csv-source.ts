import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import { CsvScan } from "./csv-scan.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { readBytes } from "./file-bytes.ts";
import { badFile, ImportError } from "./import-error.ts";
import type { Source } from "./source.ts";

/** DuckDB's default maximum line size in bytes. */
const LINE_BYTES_DEFAULT = 2 << 20;

/** Opens a CSV file. Every value is text; an empty value is NULL unless it is quoted. Throws an ImportError for a malformed file. */
export async function readCsv(file: string, gzip: boolean, duckdb: DuckDbSession): Promise<Source> {
  const hash = createHash("sha256");
  const scan = new CsvScan();
  try {
    await readBytes(file, { gzip, hash, take: (chunk) => scan.feed(chunk) });
    scan.finish();
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(`${file}, ${error.message}`) : error;
  }
  assertHeader(file, scan.header);
  if (scan.faultCount > 0) throw badFile(file, scan.faults, scan.faultCount);
  if (scan.records === 0) throw new ImportError(`${file} has a header and no rows`);
  // DuckDB treats `*` and `[` in a file name as a pattern, and requires unique column names.
  const link = duckdb.path(gzip ? "source.csv.gz" : "source.csv");
  symlinkSync(resolve(file), link);
  const names = scan.header.map((_, index) => `c${index}`);
  const options = [
    "auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false",
    // The scan has already done strict mode's checks, and allows mixed line endings. One thread keeps the row order.
    "strict_mode = false, parallel = false",
    `compression = '${gzip ? "gzip" : "none"}', max_line_size = ${Math.max(LINE_BYTES_DEFAULT, scan.longestRecord + 1024)}`,
    `columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(", ")}}`,
  ];
  return {
    columns: scan.header.map((name, index) => ({ name, text: quotedIdentifier(`c${index}`) })),
    relation: `read_csv(${quotedString(link)}, ${options.join(", ")})`,
    rows: scan.records,
    checksum: hash.digest("hex"),
    where: (row) => `line ${scan.lineOf(row)}`,
  };
}

function assertHeader(file: string, header: readonly string[]): void {
  const [only = ""] = header;
  if (header.length === 0) throw new ImportError(`${file} is empty`);
  if (header.length === 1 && /[;\t|]/.test(only))
    throw new ImportError(`${file}: columns must be separated by commas, and its header has none: ${JSON.stringify(only)}`);
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) throw new ImportError(`${file}: the header names the column ${JSON.stringify(twice)} twice`);
}

import { type FileHandle, open, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { readCsv } from "./csv-source.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { ImportError } from "./import-error.ts";
import { readParquet } from "./parquet-source.ts";
import type { Source } from "./source.ts";

/** First bytes of unsupported file types, and their error texts. */
const OTHERS: readonly { readonly bytes: readonly number[]; readonly says: string }[] = [
  { bytes: [0xff, 0xfe], says: "is UTF-16 text; save it in UTF-8" },
  { bytes: [0xfe, 0xff], says: "is UTF-16 text; save it in UTF-8" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], says: "is a ZIP archive or a spreadsheet; save it as CSV or Parquet" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], says: "is compressed with zstd; compress it with gzip, or not at all" },
];

/**
 * Opens a CSV (plain or gzip) or Parquet file, or a folder with the parts of a Parquet file. The content decides the type, not the name. Throws an
 * ImportError for a malformed file.
 */
export async function openSource(file: string, duckdb: DuckDbSession): Promise<Source> {
  const type = await fileType(file);
  return type === "parquet" || type === "folder" ? readParquet(file, duckdb) : readCsv(file, type === "gzip", duckdb);
}

/** Returns the type of a file by its first bytes. Throws an ImportError for a file that is empty, of another type, or cannot be read. */
export async function fileType(file: string): Promise<"csv" | "gzip" | "parquet" | "folder"> {
  const start = await firstBytes(file);
  if (start === undefined) return "folder";
  if (start.length === 0) throw new ImportError(`${file} is empty`);
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, index) => start[index] === byte);
  const other = OTHERS.find(({ bytes }) => begins(...bytes));
  if (other) throw new ImportError(`${file} ${other.says}`);
  if (begins(...Buffer.from("PAR1"))) return "parquet";
  if (extname(file) === ".parquet") throw new ImportError(`${file} is not a Parquet file: it does not begin with PAR1`);
  return begins(0x1f, 0x8b) ? "gzip" : "csv";
}

/** Returns undefined for a folder. */
async function firstBytes(file: string): Promise<Uint8Array | undefined> {
  let handle: FileHandle | undefined;
  try {
    if ((await stat(file)).isDirectory()) return undefined;
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new ImportError(missing ? `There is no file ${resolve(file)}` : `${file} cannot be read: ${messageOf(error)}`);
  } finally {
    await handle?.close();
  }
}

import { isUtf8 } from "node:buffer";
import { open, stat } from "node:fs/promises";
import { quotedIdentifier } from "@duckdb/node-api";
import type { SourceColumn } from "./source.ts";

const HEADER_BYTES_MAX = 1 << 16;
const LINE_FEED = 0x0a;
/** A control character or a quotation mark. */
const MARK = /["\p{Cc}\ufeff]/u;

/** A CSV file that begins with a plain header: one line of text without quotation marks. */
export interface PlainCsv {
  readonly path: string;
  readonly columns: readonly SourceColumn[];
  /** The size of the header with its line feed. */
  readonly headerBytes: number;
}

/** Returns a CSV file whose header is plain; undefined for any other, also for one that is refused. */
export async function openPlainCsv(path: string): Promise<PlainCsv | undefined> {
  const start = new Uint8Array(HEADER_BYTES_MAX);
  await using file = await open(path);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  const end = start.subarray(0, bytesRead).indexOf(LINE_FEED);
  const line = start.subarray(0, Math.max(0, end));
  const text = Buffer.from(line).toString("utf8");
  const names = text.split(",");
  if (line.length === 0 || !isUtf8(line) || MARK.test(text)) return undefined;
  const columns = names.map((name, index) => ({ name, text: quotedIdentifier(`c${index}`) }));
  return { path, columns, headerBytes: end + 1 };
}

/** Returns what is another value if the file was replaced or written to. */
export async function stateOf(path: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs].join(" ");
}

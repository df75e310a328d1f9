import type { AppendFile } from "./append-file.ts";
import { readRecords } from "./read-records.ts";
import { decodeEntries, encodeRecord } from "./record.ts";

/** Entries are grouped into records of about this size. */
const RECORD_BYTES = 64 * 1024;

interface Source {
  /** The file's name, for error texts. */
  readonly file: string;
  readonly from: AppendFile;
  /** The range of offsets whose records are copied. */
  readonly start: number;
  readonly end: number;
  /** The offset of each key's current entry. */
  readonly index: ReadonlyMap<string, number>;
}

/** Appends the current entries to another file and returns the offset of each key there. Verifies checksums. */
export async function copyLive({ file, from, start, end, index }: Source, to: AppendFile): Promise<Map<string, number>> {
  const moved = new Map<string, number>();
  const gathered = new Map<string, Buffer>();
  let size = 0;
  const flush = (): void => {
    const { bytes, offsets } = encodeRecord(gathered);
    const at = to.append(bytes);
    for (const [key, offset] of offsets) moved.set(key, at + offset);
    gathered.clear();
    size = 0;
  };
  await readRecords(from.handle, { file, from: start, to: end }, (payload, at) => {
    for (const { key, value, offset } of decodeEntries(payload)) {
      if (value === undefined || index.get(key) !== at + offset) continue;
      gathered.set(key, value);
      size += value.length;
      if (size >= RECORD_BYTES) flush();
    }
  });
  if (gathered.size > 0) flush();
  return moved;
}

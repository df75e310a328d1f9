import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { damaged } from "./faults.ts";
import { decodeHeader, HEADER_BYTES } from "./record.ts";

const CHUNK_BYTES = 1024 * 1024;

interface Span {
  /** The file's name, for error texts. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads and verifies the records of a file in order and passes each payload with its offset to `visit`. Returns the end of the last
 * complete record; bytes after it belong to an incomplete write. Throws a one-line error for a damaged record.
 */
export async function readRecords(
  handle: FileHandle,
  { file, from, to }: Span,
  visit: (payload: Buffer, at: number) => void,
): Promise<number> {
  let at = from;
  let held: Buffer = Buffer.alloc(0);
  /** Reads until `size` bytes from `at` are buffered. Returns false if the file ends before. */
  const hold = async (size: number): Promise<boolean> => {
    while (held.length < size && at + held.length < to) {
      const length = Math.min(Math.max(CHUNK_BYTES, size - held.length), to - at - held.length);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at + held.length);
      if (bytesRead === 0) throw damaged(file, at + held.length, "the file is shorter than it was");
      held = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
    }
    return held.length >= size;
  };
  while (held.length >= HEADER_BYTES || (await hold(HEADER_BYTES))) {
    const header = decodeHeader(held);
    if (header === undefined) {
      // A power failure can leave an unfinished write as allocated zero bytes.
      await hold(to - at);
      if (held.every((byte) => byte === 0)) break;
      throw damaged(file, at, "the header of a record has a wrong checksum");
    }
    const end = HEADER_BYTES + header.length;
    if (held.length < end && !(await hold(end))) break;
    const payload = held.subarray(HEADER_BYTES, end);
    if (crc32(payload) !== header.sum) throw damaged(file, at, "a record has a wrong checksum");
    visit(payload, at + HEADER_BYTES);
    held = held.subarray(end);
    at += end;
  }
  return at;
}

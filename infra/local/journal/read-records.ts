import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { damaged } from "./faults.ts";
import { decodeHeader, HEADER_BYTES } from "./record.ts";

const CHUNK_BYTES = 1024 * 1024;

interface Span {
  /** The file's name, for what is said of it. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the records of a file one after another, checks them and shows each payload with its place in the file. Gives where the last
 * whole record ends: bytes after that are of one whose writing was cut off. Throws one line for a record that is not as it was written.
 */
export async function readRecords(
  handle: FileHandle,
  { file, from, to }: Span,
  visit: (payload: Buffer, at: number) => void,
): Promise<number> {
  let at = from;
  let held: Buffer = Buffer.alloc(0);
  /** Reads until so many bytes from `at` are held; false when the file ends before. */
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
      // What a loss of power can leave of an unfinished write: room, and no bytes.
      await hold(to - at);
      if (held.every((byte) => byte === 0)) break;
      throw damaged(file, at, "the head of a record has a wrong checksum");
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

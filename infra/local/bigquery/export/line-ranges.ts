import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Bytes `start` to `end` (exclusive) of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const READ_BYTES = 1024 * 1024;
const POLL_MS = 4;
const NEWLINE = 0x0a;
const QUOTE = 0x22;

/**
 * Splits a file of lines, while another process writes it, into ranges of whole lines of about `targetBytes` each. If `quoted` is set, a
 * newline inside double quotes does not end a line. `written` returns true once the file is complete. An empty file yields one empty range.
 */
export async function* lineRanges(path: string, targetBytes: number, quoted: boolean, written: () => boolean): AsyncGenerator<ByteRange> {
  const file = await openOnceCreated(path, written);
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    let start = 0;
    let position = 0;
    let insideQuotes = false;
    for (;;) {
      const complete = written();
      // Without quotes, the bytes before the target need no scan.
      if (!quoted) position = Math.max(position, start + targetBytes);
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position);
      if (bytesRead === 0) {
        if (complete) break;
        await delay(POLL_MS);
        continue;
      }
      if (position + bytesRead - start >= targetBytes) {
        // Search for a line end only in the read that crosses the target.
        const cut = lineEnd(buffer, Math.max(0, start + targetBytes - position), bytesRead, quoted, insideQuotes);
        if (cut !== undefined) {
          yield { start, end: position + cut };
          start = position + cut;
          position = start;
          insideQuotes = false;
          continue;
        }
      }
      if (quoted && countQuotes(buffer, 0, bytesRead) % 2 === 1) insideQuotes = !insideQuotes;
      position += bytesRead;
    }
    const { size } = await file.stat();
    if (size > start || start === 0) yield { start, end: size };
  } finally {
    await file.close();
  }
}

/** Returns the offset after the first newline at or after `target` that ends a line. */
function lineEnd(buffer: Buffer, target: number, length: number, quoted: boolean, insideQuotes: boolean): number | undefined {
  let inside = quoted && insideQuotes !== (countQuotes(buffer, 0, target) % 2 === 1);
  for (let index = target; index < length; index++) {
    if (quoted && buffer[index] === QUOTE) inside = !inside;
    else if (buffer[index] === NEWLINE && !inside) return index + 1;
  }
  return undefined;
}

function countQuotes(buffer: Buffer, from: number, to: number): number {
  let count = 0;
  for (let index = buffer.indexOf(QUOTE, from); index !== -1 && index < to; index = buffer.indexOf(QUOTE, index + 1)) count += 1;
  return count;
}

async function openOnceCreated(path: string, written: () => boolean): Promise<FileHandle> {
  for (;;) {
    const complete = written();
    try {
      return await open(path, "r");
    } catch (error) {
      if (complete || !(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      await delay(POLL_MS);
    }
  }
}

import { isUtf8 } from "node:buffer";
import { ImportError } from "./import-error.ts";

const LINE_FEED = 0x0a;

/** Checks that a stream of bytes is UTF-8 text. Characters may be split between chunks. */
export class Utf8Check {
  #carried: Uint8Array = new Uint8Array();
  #isText = true;

  /** Returns whether all text is UTF-8 so far. Throws an ImportError for a zero byte; `line` is the line on which the chunk begins. */
  feed(chunk: Uint8Array, line: number): boolean {
    if (chunk.includes(0))
      throw new ImportError(`line ${lineAt(chunk, chunk.indexOf(0), line)}: a zero byte: this is neither CSV text in UTF-8 nor Parquet`);
    const bytes = this.#carried.length === 0 ? chunk : Buffer.concat([this.#carried, chunk]);
    const whole = bytes.length - unfinished(bytes);
    this.#carried = bytes.slice(whole);
    this.#isText &&= isUtf8(bytes.subarray(0, whole));
    return this.#isText;
  }

  /** Returns whether all text is UTF-8. It may end inside a character. */
  finish(): boolean {
    return this.#isText && this.#carried.length === 0;
  }
}

function lineAt(chunk: Uint8Array, index: number, line: number): number {
  let count = line;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0 && at < index; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

/** Returns how many bytes at the end belong to an incomplete character: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const CHUNK_BYTES = 1 << 22;
const BYTES = 256;
const PAIRS = BYTES * BYTES;

/** What is counted of a file. */
export interface CountedFile {
  /** How often each byte occurs behind the first `skipped` bytes. */
  readonly counts: readonly number[];
  readonly last: number | undefined;
  /** SHA-256 of the whole file, hexadecimal. */
  readonly checksum: string;
}

interface Counting {
  /** How many bytes at the beginning are not counted. */
  readonly skipped: number;
  /** Whether a byte may occur. */
  readonly isKnown: (byte: number) => boolean;
  readonly signal: AbortSignal;
}

/** Reads a file once and counts its bytes. Returns undefined as soon as one is found that is not known, or the signal is aborted. */
export async function countBytes(path: string, { skipped, isKnown, signal }: Counting): Promise<CountedFile | undefined> {
  const hash = createHash("sha256");
  const counts: number[] = Array.from({ length: BYTES }, () => 0);
  const chunk = new Uint8Array(CHUNK_BYTES);
  let last: number | undefined;
  await using file = await open(path);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (signal.aborted) return undefined;
    if (bytesRead === 0) return { counts, last, checksum: hash.digest("hex") };
    const bytes = chunk.subarray(0, bytesRead);
    hash.update(bytes);
    last = bytes.at(-1);
    addCounts(counts, position === 0 ? bytes.slice(skipped) : bytes);
    if (counts.some((count, byte) => count > 0 && !isKnown(byte))) return undefined;
    position += bytesRead;
  }
}

/** Adds how often each byte occurs. Two bytes at a time, read as four, take a third as long. */
function addCounts(counts: number[], bytes: Uint8Array): void {
  const ofPairs = new Uint32Array(PAIRS);
  const addPair = (pair: number): void => {
    ofPairs[pair] = (ofPairs[pair] ?? 0) + 1;
  };
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0;
    addPair(word & 0xffff);
    addPair(word >>> 16);
  }
  const add = (byte: number, count: number): void => {
    counts[byte] = (counts[byte] ?? 0) + count;
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    const count = ofPairs[pair] ?? 0;
    add(pair & 0xff, count);
    add(pair >> 8, count);
  }
  for (const byte of bytes.subarray(words.length * 4)) add(byte, 1);
}

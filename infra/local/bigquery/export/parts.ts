import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Destination } from "./destination.ts";
import type { ByteRange } from "./line-ranges.ts";

const CHUNK_BYTES = 256 * 1024;
const WORKERS_MAX = 4;
/** Twice as fast as zlib's default; files of rows grow by a twelfth. */
const GZIP_LEVEL = 4;

/** Compresses each range of the source into a separate file, several at a time. Every file but the first gets the header prepended. */
export async function writeGzipParts(
  source: string,
  ranges: AsyncIterable<ByteRange>,
  header: string,
  destination: Destination,
): Promise<void> {
  const workers = Math.min(WORKERS_MAX, Math.max(2, availableParallelism()));
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let index = 0;
  try {
    for await (const range of ranges) {
      const prefix = index === 0 ? "" : header;
      const path = await destination.stage(index);
      index += 1;
      const part: Promise<void> = writeGzip(source, range, prefix, path)
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(part));
      running.add(part);
      if (running.size >= workers) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

async function writeGzip(source: string, range: ByteRange, prefix: string, path: string): Promise<void> {
  await pipeline(
    Readable.from(rangeChunks(source, range, prefix)),
    createGzip({ chunkSize: CHUNK_BYTES, level: GZIP_LEVEL }),
    createWriteStream(path, { highWaterMark: CHUNK_BYTES }),
  );
}

/** Copies each range of the source into a separate file, with the header prepended to every file but the first. */
export async function writePlainParts(
  source: string,
  ranges: AsyncIterable<ByteRange>,
  header: string,
  destination: Destination,
): Promise<void> {
  let index = 0;
  for await (const range of ranges) {
    const chunks = Readable.from(rangeChunks(source, range, index === 0 ? "" : header));
    await pipeline(chunks, createWriteStream(await destination.stage(index), { highWaterMark: CHUNK_BYTES }));
    index += 1;
  }
}

async function* rangeChunks(source: string, { start, end }: ByteRange, prefix: string): AsyncGenerator<unknown> {
  if (prefix !== "") yield Buffer.from(prefix);
  if (end > start) yield* createReadStream(source, { start, end: end - 1, highWaterMark: CHUNK_BYTES });
}

/** Moves a finished file, also across file systems. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    await copyFile(from, to);
    await rm(from);
  }
}

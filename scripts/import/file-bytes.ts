import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isCorruptGzip } from "../../shared/google/gunzipped.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { ImportError } from "./import-error.ts";

/** Reads a file once: `hash` gets its bytes, `take` its content (decompressed if `gzip`). Throws an ImportError for corrupt gzip. */
export async function readBytes(file: string, { gzip, hash, take }: Reading): Promise<void> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const taking = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) take(chunk);
  };
  try {
    await (gzip ? pipeline(bytes, createGunzip({ chunkSize: 1 << 18 }), taking) : pipeline(bytes, taking));
  } catch (error) {
    throw isCorruptGzip(error) ? new ImportError(`the gzip file is corrupt: ${messageOf(error)}`) : error;
  }
}

interface Reading {
  readonly gzip: boolean;
  readonly hash: Hash;
  readonly take: (chunk: Uint8Array) => void;
}

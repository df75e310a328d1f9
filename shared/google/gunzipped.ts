import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Returns a stream's content decompressed. Fails with the stream; a reader that stops early ends the stream too, and with it its request. */
export function gunzipped(content: Readable): AsyncIterable<Buffer> {
  // A failure reaches the reader, who reads what `pipeline` returns.
  return pipeline(content, createGunzip(), () => undefined);
}

/** Whether an error is that of content that is no gzip, or ends within one. */
export function isCorruptGzip(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}

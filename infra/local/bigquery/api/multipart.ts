import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { BigQueryError } from "../model.ts";
import { withoutNulls } from "./without-nulls.ts";

const METADATA_BYTES_MAX = 1024 * 1024;

/**
 * Reads a `multipart/related` upload of two parts: returns the parsed JSON metadata and streams the media to `path`. Throws `badRequest`
 * for any other body.
 */
export async function receiveUpload(message: IncomingMessage, path: string): Promise<unknown> {
  const boundary = /^multipart\/related;.*\bboundary="?([^";]+)"?/i.exec(message.headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) throw new BigQueryError("badRequest", "Only uploadType=multipart with a multipart/related body is supported");
  const body = new MultipartBody(message, `--${boundary}`);
  const metadata = Buffer.concat(await collect(body.part(METADATA_BYTES_MAX)));
  await pipeline(body.part(Number.POSITIVE_INFINITY), createWriteStream(path));
  // Whoever is answered before the end would find the connection closed while sending it.
  await body.end();
  try {
    return withoutNulls(JSON.parse(metadata.toString("utf8")));
  } catch {
    throw new BigQueryError("parseError", "Invalid JSON payload received. Parse Error");
  }
}

class MultipartBody {
  readonly #chunks: AsyncIterator<unknown>;
  readonly #delimiter: Buffer;
  /** Starts with a line break, which the body itself may lack. */
  #buffer: Buffer = Buffer.from("\r\n");

  constructor(source: AsyncIterable<unknown>, delimiter: string) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n${delimiter}`);
  }

  /** Yields the content of the next part, without its headers. */
  async *part(maxBytes: number): AsyncGenerator<Buffer> {
    await this.#skipPast(this.#delimiter);
    await this.#skipPast(Buffer.from("\r\n\r\n"));
    let size = 0;
    for (;;) {
      const end = this.#buffer.indexOf(this.#delimiter);
      // A chunk may end inside the delimiter, so keep any suffix that could be its start.
      const safe = end === -1 ? this.#buffer.length - this.#delimiter.length : end;
      if (safe > 0) {
        size += safe;
        if (size > maxBytes) throw new BigQueryError("badRequest", "The metadata of the upload is too large");
        yield this.#buffer.subarray(0, safe);
        this.#buffer = this.#buffer.subarray(safe);
      }
      if (end !== -1) return;
      await this.#more();
    }
  }

  /** Reads what follows the last part. */
  async end(): Promise<void> {
    let size = 0;
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return;
      size += Buffer.isBuffer(value) ? value.length : 0;
      if (size > METADATA_BYTES_MAX) throw new BigQueryError("badRequest", "The upload goes on after its last part");
    }
  }

  async #skipPast(marker: Buffer): Promise<void> {
    let at = this.#buffer.indexOf(marker);
    while (at === -1) {
      await this.#more();
      at = this.#buffer.indexOf(marker);
    }
    this.#buffer = this.#buffer.subarray(at + marker.length);
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done || !Buffer.isBuffer(value)) throw new BigQueryError("badRequest", "Malformed multipart body: it ends inside a part");
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

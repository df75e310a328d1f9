import { invalid } from "./storage-fault.ts";

const METADATA_BYTES_MAX = 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const BLANK_LINE = Buffer.from("\r\n\r\n");

/** A `multipart/related` upload (RFC 2387): the object resource, then the content as a stream. */
export interface MultipartUpload {
  readonly metadata: string;
  readonly contentType: string | undefined;
  /** Must be read to its end. Throws a 400 if the closing boundary is missing. */
  readonly content: AsyncIterable<Buffer>;
}

/** Reads a multipart body up to its content. Throws a 400 if it is malformed. */
export async function readMultipart(contentType: string, body: AsyncIterable<Buffer>): Promise<MultipartUpload> {
  const [, quoted, plain] = /^multipart\/related\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("Missing boundary in the content type of a multipart upload.");
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const reader = new DelimitedReader(body);
  await reader.readUntil(delimiter, HEADER_BYTES_MAX);
  await reader.readUntil(BLANK_LINE, HEADER_BYTES_MAX);
  const metadata = await reader.readUntil(delimiter, METADATA_BYTES_MAX);
  const headers = await reader.readUntil(BLANK_LINE, HEADER_BYTES_MAX);
  return {
    metadata: metadata.toString(),
    contentType: /^content-type:[ \t]*(.*?)[ \t]*$/im.exec(headers.toString("latin1"))?.[1],
    content: reader.streamLast(delimiter),
  };
}

/** Finds delimiters in a stream while buffering no more than one delimiter's length. */
class DelimitedReader {
  readonly #chunks: AsyncIterator<Buffer>;
  /** The first boundary may be at the very start, without the line break that precedes the others. */
  #pending: Buffer = Buffer.from("\r\n");

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async readUntil(delimiter: Buffer, bytesMax: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.streamUntil(delimiter)) {
      size += part.length;
      if (size > bytesMax) throw invalid("A part of the multipart upload is too long.");
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Yields the last part, checks that the boundary after it closes the body, and drains the rest. */
  async *streamLast(delimiter: Buffer): AsyncGenerator<Buffer> {
    yield* this.streamUntil(delimiter);
    let end = this.#pending.subarray(0, 2);
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      if (end.length < 2) end = Buffer.concat([end, next.value]).subarray(0, 2);
    }
    if (end.toString() !== "--") throw invalid("A multipart upload has two parts.");
  }

  async *streamUntil(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const found = this.#pending.indexOf(delimiter);
      if (found >= 0) {
        const part = this.#pending.subarray(0, found);
        this.#pending = this.#pending.subarray(found + delimiter.length);
        yield part;
        return;
      }
      const safe = Math.max(0, this.#pending.length - delimiter.length + 1);
      const part = this.#pending.subarray(0, safe);
      const rest = this.#pending.subarray(safe);
      const next = await this.#chunks.next();
      if (next.done) throw invalid("The multipart upload ends before its closing boundary.");
      this.#pending = Buffer.concat([rest, next.value]);
      if (part.length > 0) yield part;
    }
  }
}

import { open, rm, stat } from "node:fs/promises";
import { type ContentDigest, ContentHash, digestFile } from "./content-hash.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import { invalid } from "./storage-fault.ts";

/** Hashes that the writer expects (base64). */
export type ExpectedHashes = Partial<Pick<ContentDigest, "crc32c" | "md5Hash">>;

export interface DraftOptions {
  readonly path: string;
  readonly withMd5: boolean;
  /** Publishes the finished file. Called once. Throws if a precondition no longer holds. */
  readonly publish: (digest: ContentDigest) => Promise<ObjectMetadata>;
}

/**
 * An unpublished object. Its content is either written to `path` by the caller (any process) or passed to `receive`. Every draft must end
 * in `commit` or `abort`. After a failed `commit` it is already aborted.
 */
export class ObjectDraft {
  readonly path: string;
  readonly #options: DraftOptions;
  readonly #hash: ContentHash;
  #writeError: Error | undefined;

  constructor(options: DraftOptions) {
    this.path = options.path;
    this.#options = options;
    this.#hash = new ContentHash(options.withMd5);
  }

  /** Bytes accepted by `receive` so far. */
  get receivedBytes(): number {
    return this.#hash.size;
  }

  /** Appends a stream and hashes it. If the stream fails, the bytes received so far stay and the upload can continue. */
  async receive(source: AsyncIterable<Uint8Array>): Promise<void> {
    await using file = await open(this.path, "a");
    for await (const chunk of source) {
      if (this.#writeError) throw this.#writeError;
      const written = file.appendFile(chunk);
      // Hash while the disk writes. The hash may then be ahead of the file, so a draft with a failed write is unusable.
      this.#hash.update(chunk);
      await written.catch((error: unknown) => {
        this.#writeError = new Error("the draft could not be written", { cause: error });
        throw error;
      });
    }
  }

  /** Like `receive`, for content that arrives in one stream: if the stream fails, the draft is aborted. */
  async receiveWhole(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await this.receive(source);
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /**
   * Makes the draft the live object: flushes it to the disk, then publishes it atomically. Throws a 400 if the hashes of the bytes differ
   * from the expected ones, a 412 if a precondition fails.
   */
  async commit(expected: ExpectedHashes = {}): Promise<ObjectMetadata> {
    try {
      if (this.#writeError) throw this.#writeError;
      const { size } = await stat(this.path);
      const isReceived = size > 0 && this.#hash.size === size;
      const [digest] = await Promise.all([
        isReceived ? this.#hash.digest() : digestFile(this.path, this.#options.withMd5),
        flush(this.path),
      ]);
      checkHashes(digest, expected);
      return await this.#options.publish(digest);
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Discards the content. Idempotent. */
  async abort(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

function checkHashes(digest: ContentDigest, expected: ExpectedHashes): void {
  if (expected.crc32c !== undefined && expected.crc32c !== digest.crc32c) {
    throw invalid(`Provided CRC32C "${expected.crc32c}" doesn't match calculated CRC32C "${digest.crc32c}".`);
  }
  if (expected.md5Hash !== undefined && digest.md5Hash !== undefined && expected.md5Hash !== digest.md5Hash) {
    throw invalid(`Provided MD5 hash "${expected.md5Hash}" doesn't match calculated MD5 hash "${digest.md5Hash}".`);
  }
}

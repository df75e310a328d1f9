import { open, rm, stat } from "node:fs/promises";
import { type ContentDigest, ContentHash, digestFile } from "./content-hash.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import { invalid } from "./storage-fault.ts";

/** Hashes that the writer says its bytes have (base64). */
export type ExpectedHashes = Partial<Pick<ContentDigest, "crc32c" | "md5Hash">>;

export interface DraftOptions {
  readonly path: string;
  readonly withMd5: boolean;
  /** Puts the finished file in its place. Called once; throws when a precondition no longer holds. */
  readonly publish: (digest: ContentDigest) => Promise<ObjectMetadata>;
}

/**
 * An object that nobody sees yet. Its content is either written to `path` by the caller (any process) or given to `receive`.
 * Every draft must end in `commit` or `abort`; after a failed `commit` it has been aborted.
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

  /** Bytes taken by `receive` so far. */
  get receivedBytes(): number {
    return this.#hash.size;
  }

  /** Appends a stream, hashing as it goes. When the stream fails, what came before stays and can be continued. */
  async receive(source: AsyncIterable<Uint8Array>): Promise<void> {
    await using file = await open(this.path, "a");
    for await (const chunk of source) {
      if (this.#writeError) throw this.#writeError;
      const written = file.appendFile(chunk);
      // Hashed while the disk works, hence ahead of it: after a failed write the draft is of no use any more.
      this.#hash.update(chunk);
      await written.catch((error: unknown) => {
        this.#writeError = new Error("the draft could not be written", { cause: error });
        throw error;
      });
    }
  }

  /** Like `receive` for content that comes once and whole: when the stream fails, the draft has been aborted. */
  async receiveWhole(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await this.receive(source);
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /**
   * Makes the draft the live object: flushed to the disk, then visible at once and whole.
   * Throws a 400 when the bytes have other hashes than expected, a 412 when a precondition fails.
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

  /** Throws the content away. Again is no error. */
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

import { parseUploadRange, type UploadRange } from "./content-range.ts";
import type { ExpectedHashes, ObjectDraft } from "./object-draft.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import { invalid, StorageFault } from "./storage-fault.ts";

const CHUNK_BYTES_MIN = 256 * 1024;

/** A stored object, or the number of bytes received so far. */
export type UploadProgress = { readonly object: ObjectMetadata } | { readonly receivedBytes: number };

/** One resumable upload. Bytes received before a broken connection stay. Requests are processed one at a time. */
export class UploadSession {
  readonly startedAt: number;
  readonly #draft: ObjectDraft;
  readonly #expected: ExpectedHashes;
  readonly #total: number | undefined;
  #stored: ObjectMetadata | undefined;
  #isOver = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** `total`: the size announced by the client, if any. */
  constructor(draft: ObjectDraft, expected: ExpectedHashes, total: number | undefined, startedAt: number) {
    this.#draft = draft;
    this.#expected = expected;
    this.#total = total;
    this.startedAt = startedAt;
  }

  /**
   * Processes one request: a status query, a chunk or the rest. `hashes` are checked when it completes the object. Throws 400, 412 or 503
   * (bytes missing before the chunk). After a failed completion the session has ended: further requests get a 404.
   */
  async take(contentRange: string | undefined, body: AsyncIterable<Buffer>, hashes: ExpectedHashes): Promise<UploadProgress> {
    if (this.#isOver) throw new StorageFault("pathNotFound", "Not Found");
    const parsed = parseUploadRange(contentRange);
    const range = { ...parsed, total: parsed.total ?? this.#total };
    const { receivedBytes } = this.#draft;
    // A client may ask while the connection that it gave up still looks open here.
    if (!this.#stored && range.start === undefined && receivedBytes !== range.total) return { receivedBytes };
    const result = this.#turn.then(() => this.#take(range, body, hashes));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async abort(): Promise<void> {
    this.#isOver = true;
    await this.#draft.abort();
  }

  async #take(range: UploadRange, body: AsyncIterable<Buffer>, hashes: ExpectedHashes): Promise<UploadProgress> {
    if (this.#stored) return { object: this.#stored };
    if (this.#isOver) throw new StorageFault("pathNotFound", "Not Found");
    if (range.start !== undefined) await this.#receive(range.start, range, body);
    const { receivedBytes } = this.#draft;
    const isAll = range.total === undefined ? range.start !== undefined && range.end === undefined : receivedBytes === range.total;
    if (range.total !== undefined && receivedBytes > range.total) throw invalid("More bytes were uploaded than the object has.");
    if (!isAll) return { receivedBytes };
    if (range.total === 0) await this.#draft.receive(nothing());
    return { object: await this.#commit({ ...this.#expected, ...hashes }) };
  }

  async #commit(expected: ExpectedHashes): Promise<ObjectMetadata> {
    try {
      this.#stored = await this.#draft.commit(expected);
      return this.#stored;
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  async #receive(start: number, { end, total }: UploadRange, body: AsyncIterable<Buffer>): Promise<void> {
    const known = this.#draft.receivedBytes;
    if (start > known) throw new StorageFault("uploadTooFar", tooFarMessage(start, known));
    if (end !== undefined && end !== total && end - start < CHUNK_BYTES_MIN) throw invalid(tooShortMessage(end - start));
    await this.#draft.receive(behind(body, known - start));
    if (end !== undefined && this.#draft.receivedBytes > Math.max(end, known)) throw invalid("The body is longer than its Content-Range.");
  }
}

/** Skips bytes that are already stored. */
async function* behind(body: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let toSkip = bytes;
  for await (const chunk of body) {
    const rest = chunk.subarray(Math.min(toSkip, chunk.length));
    toSkip -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

function tooFarMessage(start: number, known: number): string {
  return `Invalid request.  According to the Content-Range header, the upload offset is ${start} byte(s), which exceeds already uploaded size of ${known} byte(s).`;
}

function tooShortMessage(bytes: number): string {
  return `Invalid request.  The number of bytes uploaded is required to be equal or greater than ${CHUNK_BYTES_MIN}, except for the final request (it's recommended to be the exact multiple of ${CHUNK_BYTES_MIN}).  The received request contained ${bytes} bytes, which does not meet this requirement.`;
}

import { randomUUID } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInTurn, type InTurn } from "../../../shared/runtime/in-turn.ts";
import { BucketFolder, type BucketMetadata } from "./bucket-folder.ts";
import type { ContentDigest } from "./content-hash.ts";
import { ObjectDraft } from "./object-draft.ts";
import { type ListOptions, ObjectIndex, type ObjectList } from "./object-index.ts";
import type { ContentSettings, ObjectMetadata } from "./object-metadata.ts";
import { checkBucketName, checkObjectName } from "./object-name.ts";
import { checkPreconditions, type Preconditions } from "./preconditions.ts";
import { bucketNotFound, mayNotReplace, objectNotFound } from "./storage-fault.ts";

export interface CreateOptions extends ContentSettings {
  /** Checked at once and again when the draft is committed. */
  readonly preconditions?: Preconditions;
  /** `false` omits the MD5, as Google does for composite objects. CRC32C is always present. */
  readonly md5?: boolean;
  /** `false` throws a 403 if there is an object of that name, when the draft is committed. Default: true. */
  readonly replaces?: boolean;
}

/** Called when an object is whole, with the object that it replaced. */
type Finalized = (object: ObjectMetadata, previous: ObjectMetadata | undefined) => void;

interface Bucket {
  readonly folder: BucketFolder;
  readonly index: ObjectIndex;
}

/**
 * Buckets and their live objects in a directory that belongs to one process. Names and metadata are held in memory (they are also on the
 * disk and survive a restart), content is only streamed. All errors are `StorageFault`s.
 */
export class ObjectStore {
  readonly #directory: string;
  readonly #now: () => number;
  readonly #finalized: Finalized;
  readonly #buckets = new Map<string, Bucket>();
  readonly #queue: InTurn = createInTurn(Number.POSITIVE_INFINITY);
  #lastGeneration = 0;

  private constructor(directory: string, now: () => number, finalized: Finalized) {
    this.#directory = directory;
    this.#now = now;
    this.#finalized = finalized;
  }

  /** Opens the store of a directory, which is created if missing. `now` returns milliseconds since 1970. */
  static async open(directory: string, now: () => number = Date.now, finalized: Finalized = () => undefined): Promise<ObjectStore> {
    const store = new ObjectStore(directory, now, finalized);
    await mkdir(directory, { recursive: true });
    for (const name of await readdir(directory)) {
      const opened = await BucketFolder.open(join(directory, name));
      if (!opened) continue;
      store.#buckets.set(name, { folder: opened.folder, index: new ObjectIndex(opened.objects) });
      for (const { generation } of opened.objects) store.#lastGeneration = Math.max(store.#lastGeneration, generation);
    }
    return store;
  }

  /** Creates a bucket. Idempotent. Throws a 400 for a name that Cloud Storage does not allow. */
  async createBucket(name: string): Promise<void> {
    checkBucketName(name);
    if (this.#buckets.has(name)) return;
    const folder = await BucketFolder.create(join(this.#directory, name), { timeCreated: new Date(this.#now()).toISOString() });
    if (!this.#buckets.has(name)) this.#buckets.set(name, { folder, index: new ObjectIndex([]) });
  }

  hasBucket(name: string): boolean {
    return this.#buckets.has(name);
  }

  bucketNames(): readonly string[] {
    return [...this.#buckets.keys()].sort();
  }

  /** Returns the bucket's metadata. Throws a 404. */
  bucketMetadata(name: string): BucketMetadata {
    return this.#bucket(name).folder.metadata;
  }

  /** Starts an object. Nothing is visible before the draft's `commit`. Throws 404 (bucket), 400 (name) and 412. */
  async create(bucket: string, name: string, options: CreateOptions): Promise<ObjectDraft> {
    const { preconditions = {}, md5 = true, replaces = true, ...settings } = options;
    const { folder, index } = this.#bucket(bucket);
    checkObjectName(name);
    checkPreconditions(index.get(name), preconditions);
    const path = folder.draftPath(randomUUID());
    const publish = (digest: ContentDigest) =>
      this.#inTurn(bucket, name, async () => {
        const previous = index.get(name);
        checkPreconditions(previous, preconditions);
        if (previous && !replaces) throw mayNotReplace();
        const object = this.#describe(bucket, name, settings, digest);
        await folder.publish(path, object);
        index.set(object);
        if (previous) await folder.remove(previous.generation);
        this.#finalized(object, previous);
        return object;
      });
    return new ObjectDraft({ path, withMd5: md5, publish });
  }

  /** Returns the live object's metadata. Throws a 404 if the bucket does not exist. */
  stat(bucket: string, name: string): ObjectMetadata | undefined {
    return this.#bucket(bucket).index.get(name);
  }

  /** Returns metadata and the path of the content, which must be opened at once: a later overwrite or delete removes it. Throws a 404. */
  read(bucket: string, name: string): { path: string; metadata: ObjectMetadata } {
    const metadata = this.stat(bucket, name);
    if (!metadata) throw objectNotFound(bucket, name);
    return { path: this.#bucket(bucket).folder.contentPath(metadata.generation), metadata };
  }

  /** Returns one page in byte order. Throws 404 (bucket) and 400 (page token). */
  list(bucket: string, options: ListOptions = {}): ObjectList {
    return this.#bucket(bucket).index.list(options);
  }

  /** Changes the metadata that the writer sets. The metageneration rises by one. Throws 404 and 412. */
  update(
    bucket: string,
    name: string,
    change: (current: ObjectMetadata) => ContentSettings,
    conditions: Preconditions = {},
  ): Promise<ObjectMetadata> {
    return this.#inTurn(bucket, name, async () => {
      const { folder, index } = this.#bucket(bucket);
      const current = this.read(bucket, name).metadata;
      checkPreconditions(current, conditions);
      const { generation, size, crc32c, md5Hash, timeCreated } = current;
      const fixed = { bucket, name, generation, size, crc32c, timeCreated, ...(md5Hash === undefined ? {} : { md5Hash }) };
      const updated = new Date(this.#now()).toISOString();
      const object = { ...change(current), ...fixed, metageneration: current.metageneration + 1, updated };
      await folder.writeSidecar(object);
      index.set(object);
      return object;
    });
  }

  /** Deletes an object. Throws 404 and 412. */
  delete(bucket: string, name: string, conditions: Preconditions = {}): Promise<void> {
    return this.#inTurn(bucket, name, async () => {
      const { folder, index } = this.#bucket(bucket);
      const { metadata } = this.read(bucket, name);
      checkPreconditions(metadata, conditions);
      index.delete(name);
      await folder.remove(metadata.generation);
    });
  }

  #bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (!bucket) throw bucketNotFound();
    return bucket;
  }

  #describe(bucket: string, name: string, settings: ContentSettings, digest: ContentDigest): ObjectMetadata {
    const now = this.#now();
    this.#lastGeneration = Math.max(this.#lastGeneration + 1, Math.floor(now * 1000));
    const time = new Date(now).toISOString();
    return { ...settings, ...digest, bucket, name, generation: this.#lastGeneration, metageneration: 1, timeCreated: time, updated: time };
  }

  /** Serialises the changes of one name, so that a precondition still holds when its change is applied. */
  #inTurn<T>(bucket: string, name: string, change: () => Promise<T>): Promise<T> {
    return this.#queue(`${bucket}/${name}`, change);
  }
}

import { readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { storedJson } from "../persistence/stored-json.ts";
import { type ObjectMetadata, objectMetadataSchema } from "./object-metadata.ts";

const bucketSchema = v.object({ timeCreated: v.string() });
export type BucketMetadata = v.InferOutput<typeof bucketSchema>;

/**
 * One bucket on the disk. An object is two files named by its generation, content and sidecar, so that no object name ever becomes a path.
 * The rename of the sidecar is the commit: content without a sidecar does not exist.
 */
export class BucketFolder {
  readonly metadata: BucketMetadata;
  readonly #objects: string;
  readonly #drafts: string;

  private constructor(path: string, metadata: BucketMetadata) {
    this.metadata = metadata;
    this.#objects = join(path, "objects");
    this.#drafts = join(path, "drafts");
  }

  static async create(path: string, metadata: BucketMetadata): Promise<BucketFolder> {
    const folder = new BucketFolder(path, metadata);
    await mkdir(folder.#objects, { recursive: true });
    await mkdir(folder.#drafts, { recursive: true });
    await writeWhole(join(path, "bucket.json"), metadata);
    return folder;
  }

  /** Opens a bucket that `create` made. Returns `undefined` if its creation was interrupted. Removes files left by a killed process. */
  static async open(path: string): Promise<{ folder: BucketFolder; objects: readonly ObjectMetadata[] } | undefined> {
    const file = join(path, "bucket.json");
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const folder = new BucketFolder(path, storedJson(file, text, bucketSchema));
    await rm(folder.#drafts, { recursive: true, force: true });
    await mkdir(folder.#drafts);
    return { folder, objects: await folder.#load() };
  }

  draftPath(id: string): string {
    return join(this.#drafts, id);
  }

  contentPath(generation: number): string {
    return join(this.#objects, String(generation));
  }

  /** Moves a flushed draft into the bucket and then writes its sidecar. If that fails, no trace of the object remains. */
  async publish(draftPath: string, object: ObjectMetadata): Promise<void> {
    await rename(draftPath, this.contentPath(object.generation));
    try {
      await this.writeSidecar(object);
    } catch (error) {
      await this.remove(object.generation);
      throw error;
    }
  }

  async writeSidecar(object: ObjectMetadata): Promise<void> {
    await writeWhole(this.#sidecarPath(object.generation), object);
    await using folder = await open(this.#objects, "r");
    await folder.sync();
  }

  /** Removes an object. Readers that have the content open keep reading it. */
  async remove(generation: number): Promise<void> {
    await rm(this.#sidecarPath(generation), { force: true });
    await rm(this.contentPath(generation), { force: true });
  }

  #sidecarPath(generation: number): string {
    return `${this.contentPath(generation)}.json`;
  }

  async #load(): Promise<readonly ObjectMetadata[]> {
    const newest = new Map<string, ObjectMetadata>();
    const files = await readdir(this.#objects);
    // With thousands of small files, synchronous reads without the thread pool are several times faster.
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      const path = join(this.#objects, file);
      const object = storedJson(path, readFileSync(path, "utf8"), objectMetadataSchema);
      if (object.generation > (newest.get(object.name)?.generation ?? 0)) newest.set(object.name, object);
    }
    const kept = new Set([...newest.values()].flatMap(({ generation }) => [String(generation), `${generation}.json`]));
    for (const file of files) if (!kept.has(file)) await rm(join(this.#objects, file), { force: true });
    return [...newest.values()];
  }
}

/** Writes JSON atomically: a reader finds the old or the new file, never a part. */
async function writeWhole(path: string, value: unknown): Promise<void> {
  try {
    await writeFile(`${path}.tmp`, JSON.stringify(value), { flush: true });
    await rename(`${path}.tmp`, path);
  } catch (error) {
    await rm(`${path}.tmp`, { force: true });
    throw error;
  }
}

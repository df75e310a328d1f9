import { type FileHandle, open } from "node:fs/promises";
import type { ObjectMetadata } from "./object-metadata.ts";
import type { ObjectStore } from "./object-store.ts";
import { objectNotFound } from "./storage-fault.ts";

/**
 * Opens an object's live content. If an overwrite removes it meanwhile, opens the new one. The caller closes the file. Throws a 404, also
 * if the live generation is not the requested one.
 */
export async function openContent(
  store: ObjectStore,
  bucket: string,
  name: string,
  generation: number | undefined,
): Promise<{ file: FileHandle; metadata: ObjectMetadata }> {
  for (;;) {
    const { path, metadata } = store.read(bucket, name);
    if (generation !== undefined && generation !== metadata.generation) throw objectNotFound(bucket, `${name}#${generation}`);
    const file = await open(path, "r").catch((error: unknown) => {
      if (store.stat(bucket, name)?.generation === metadata.generation) throw error;
      return undefined;
    });
    if (file) return { file, metadata };
  }
}

import { type File, Storage } from "@google-cloud/storage";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { errorStatus } from "./client-error.ts";

/** One object of the bucket. `name` is without its folders, `size` in bytes, `crc32c` as Cloud Storage writes it, in base64. */
interface StoredFile {
  readonly name: string;
  readonly size: number;
  readonly crc32c: string;
}

export interface Exports {
  /** The files whose names begin with a prefix, in the order of their names. */
  readonly list: (prefix: string) => Promise<StoredFile[]>;
  /** Creates one small JSON object, whole or not at all. One of that name that is there already stays as it is: done. */
  readonly writeJson: (name: string, content: unknown) => Promise<void>;
  /** Removes every object whose name begins with a prefix; those whose whole names `isFirst` picks are gone before any other is removed. */
  readonly remove: (prefix: string, isFirst: (name: string) => boolean) => Promise<void>;
}

/** How many objects are removed at a time. */
const AT_ONCE = 10;
/** What an object that is not there has for a generation. Source: https://cloud.google.com/storage/docs/request-preconditions */
const NO_GENERATION = 0;
/** Not 409, which racing requests get: whether one of them succeeds is open then. */
const PRECONDITION_FAILED = 412;

const ObjectMetadata = v.object({
  name: v.string(),
  size: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)),
  crc32c: v.string(),
});

/** The export bucket. Locally the client sends its token to the local address too, as it does to the real one. */
export function openExports(config: Config): Exports {
  const { storage: apiEndpoint } = config.addresses;
  const storage = new Storage({ projectId: config.project, ...(apiEndpoint ? { apiEndpoint, useAuthWithCustomEndpoint: true } : {}) });
  const bucket = storage.bucket(config.exportBucket);
  return {
    list: async (prefix) => {
      const [files] = await bucket.getFiles({ prefix });
      return files.map((file) => {
        const { name, size, crc32c } = v.parse(ObjectMetadata, file.metadata);
        return { name: name.slice(name.lastIndexOf("/") + 1), size, crc32c };
      });
    },
    // A small object goes in one request: nothing of it can be seen before all of it is there. With the condition the client may repeat it.
    writeJson: async (name, content) => {
      const text = `${JSON.stringify(content, undefined, 2)}\n`;
      try {
        await bucket
          .file(name)
          .save(text, { resumable: false, contentType: "application/json", preconditionOpts: { ifGenerationMatch: NO_GENERATION } });
      } catch (error) {
        // Another delivery was quicker, or the client's own first try, whose answer was lost.
        if (errorStatus(error) !== PRECONDITION_FAILED) throw error;
      }
    },
    remove: async (prefix, isFirst) => {
      const [files] = await bucket.getFiles({ prefix });
      await deleteAll(files.filter(({ name }) => isFirst(name)));
      await deleteAll(files.filter(({ name }) => !isFirst(name)));
    },
  };
}

/** One that is gone already is as it should be: others may clear up the same folder. */
async function deleteAll(files: readonly File[]): Promise<void> {
  for (let first = 0; first < files.length; first += AT_ONCE)
    await Promise.all(files.slice(first, first + AT_ONCE).map((file) => file.delete({ ignoreNotFound: true })));
}

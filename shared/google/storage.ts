import type { File } from "@google-cloud/storage";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { errorStatus } from "./client-error.ts";
import { repeatingStorage } from "./storage-client.ts";

/** One object of the bucket. `name` excludes its folders, `size` is in bytes, `crc32c` is base64 as in Cloud Storage. */
interface StoredFile {
  readonly name: string;
  readonly size: number;
  readonly crc32c: string;
}

export interface Exports {
  /** Lists the files whose names begin with a prefix, ordered by name. */
  readonly list: (prefix: string) => Promise<StoredFile[]>;
  /** Creates a small JSON object atomically. Leaves an existing object of that name as it is. */
  readonly writeJson: (name: string, content: unknown) => Promise<void>;
  /** Removes every object whose name begins with a prefix. Removes those whose full names match `isFirst` before all others. */
  readonly remove: (prefix: string, isFirst: (name: string) => boolean) => Promise<void>;
}

/** How many objects are removed concurrently. */
const AT_ONCE = 10;
/** The generation of an object that does not exist. Source: https://cloud.google.com/storage/docs/request-preconditions */
const NO_GENERATION = 0;
/** Not 409, which racing requests get while it is still open whether one of them succeeds. */
const PRECONDITION_FAILED = 412;

const ObjectMetadata = v.object({
  name: v.string(),
  size: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)),
  crc32c: v.string(),
});

/** Opens the export bucket. */
export function openExports(config: Config): Exports {
  const bucket = repeatingStorage(config).bucket(config.exportBucket);
  return {
    list: async (prefix) => {
      const [files] = await bucket.getFiles({ prefix });
      return files.map((file) => {
        const { name, size, crc32c } = v.parse(ObjectMetadata, file.metadata);
        return { name: name.slice(name.lastIndexOf("/") + 1), size, crc32c };
      });
    },
    // A small object is uploaded in one request, so no part of it is visible early. With the precondition a retry changes nothing.
    writeJson: async (name, content) => {
      const text = `${JSON.stringify(content, undefined, 2)}\n`;
      try {
        await bucket
          .file(name)
          .save(text, { resumable: false, contentType: "application/json", preconditionOpts: { ifGenerationMatch: NO_GENERATION } });
      } catch (error) {
        // Another delivery was faster, or the client's own first try, whose response was lost.
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

/** Ignores files that are already deleted: another process may clean up the same folder. */
async function deleteAll(files: readonly File[]): Promise<void> {
  for (let first = 0; first < files.length; first += AT_ONCE)
    await Promise.all(files.slice(first, first + AT_ONCE).map((file) => file.delete({ ignoreNotFound: true })));
}

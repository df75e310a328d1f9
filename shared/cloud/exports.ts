import { Storage } from "@google-cloud/storage";
import * as v from "valibot";
import type { Config } from "../config.ts";
import type { ExportFile } from "../schemas/aggregation.ts";

export interface Exports {
  /** The files whose names begin with a prefix, in the order of their names. */
  readonly list: (prefix: string) => Promise<ExportFile[]>;
  /** Writes one small JSON object, whole or not at all. */
  readonly writeJson: (name: string, content: unknown) => Promise<void>;
  /** Removes every object whose name begins with a prefix. */
  readonly remove: (prefix: string) => Promise<void>;
}

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
    // A small object goes in one request: nothing of it can be seen before all of it is there.
    writeJson: (name, content) =>
      bucket.file(name).save(`${JSON.stringify(content, undefined, 2)}\n`, { resumable: false, contentType: "application/json" }),
    remove: async (prefix) => {
      await bucket.deleteFiles({ prefix });
    },
  };
}

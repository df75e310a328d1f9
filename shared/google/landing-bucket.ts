import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { isNotFound } from "./classify-error.ts";
import { gunzipped } from "./gunzipped.ts";
import { repeatingStorage } from "./storage-client.ts";

/** One object of the landing bucket. `crc32c` is base64 as in Cloud Storage, `size` in bytes, `createdAt` ISO 8601. */
export interface LandedObject {
  readonly name: string;
  readonly generation: string;
  readonly size: number;
  readonly crc32c: string;
  readonly createdAt: string;
}

/** The bucket in which the provider's deliveries arrive. */
export interface LandingBucket {
  /** The bucket's name. */
  readonly name: string;
  /** Lists the objects whose names begin with a prefix, ordered by name. */
  readonly list: (prefix: string) => Promise<LandedObject[]>;
  /** Returns an object's content. An object whose name ends in `.gz` is decompressed. */
  readonly read: (name: string) => AsyncIterable<Buffer>;
  /** Writes a JSON object over one that may be there. */
  readonly writeJson: (name: string, content: unknown) => Promise<void>;
  /** Renames an object of this generation. Does nothing if it is no longer there. */
  readonly move: (object: LandedObject, to: string) => Promise<void>;
}

const Metadata = v.pipe(
  v.object({
    name: v.string(),
    generation: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    size: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)),
    crc32c: v.string(),
    timeCreated: v.string(),
  }),
  v.transform(({ timeCreated, ...rest }): LandedObject => ({ ...rest, createdAt: timeCreated })),
);

/** Opens the landing bucket. */
export function openLandingBucket(config: Config): LandingBucket {
  const name = config.landingBucket;
  const bucket = repeatingStorage(config).bucket(name);
  return {
    name,
    list: async (prefix) => {
      const [files] = await bucket.getFiles({ prefix });
      return files.map(({ metadata }) => v.parse(Metadata, metadata));
    },
    // The client would decompress by itself only what was uploaded with Content-Encoding: gzip.
    read: (of) => {
      const content = bucket.file(of).createReadStream({ decompress: true });
      return of.endsWith(".gz") ? gunzipped(content) : content;
    },
    writeJson: async (of, content) => {
      await bucket.file(of).save(`${JSON.stringify(content, undefined, 2)}\n`, { resumable: false, contentType: "application/json" });
    },
    move: async ({ name: from, generation }, to) => {
      const file = bucket.file(from, { generation: Number(generation) });
      try {
        await file.copy(bucket.file(to));
        await file.delete({ ifGenerationMatch: Number(generation), ignoreNotFound: true });
      } catch (error) {
        // Another delivery of the same notification was faster.
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

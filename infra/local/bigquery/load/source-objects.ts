import { randomUUID } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { BigQueryError } from "../model.ts";

/** A file to load. `uri` is the object that it is a copy of. */
export interface LoadedFile {
  readonly path: string;
  readonly uri?: string;
}

/** Copies the objects of a load, whose content may be overwritten meanwhile. Throws `notFound` for one that is not there; no copy is left then. */
export async function copyObjects({ sink, uploads }: QueryEngine, uris: readonly string[]): Promise<LoadedFile[]> {
  return Promise.all(
    uris.map(async (uri) => {
      const [, bucket = "", name = ""] = /^gs:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
      const path = join(uploads, `upload-${randomUUID()}`);
      try {
        await copyFile(sink.read(bucket, name).path, path);
      } catch {
        throw new BigQueryError("notFound", `Not found: URI ${uri}`);
      }
      return { path, uri };
    }),
  );
}

import { join } from "node:path";
import { readIfThere } from "../local/durable-file.ts";

/** Counts the different names of documents that match, in the file of the embedded Firestore of a data folder and in its write-ahead log. */
export function documentsOnDisk(dataDirectory: string, pattern: RegExp): number {
  const file = join(dataDirectory, "firestore", "state.sqlite");
  return new Set([file, `${file}-wal`].flatMap((path) => readIfThere(path)?.match(pattern) ?? [])).size;
}

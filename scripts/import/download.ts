import { basename } from "node:path";
import type { Storage } from "@google-cloud/storage";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { ImportError } from "./import-error.ts";

const OBJECT = /^gs:\/\/([^/]+)\/(.+)$/;

/** Returns whether a file is named as an object of Cloud Storage. */
export function isObject(file: string): boolean {
  return file.startsWith("gs://");
}

/**
 * Copies an object into the session's folder and returns the copy's path. The client checks its CRC32C. Throws an ImportError if it is not there, or may
 * not be read.
 * @param pathOf returns a path in the session's folder
 */
export async function download(
  { storage }: { readonly storage: Storage },
  file: string,
  pathOf: (name: string) => string,
): Promise<string> {
  const [, bucket, name] = OBJECT.exec(file) ?? [];
  if (bucket === undefined || name === undefined) throw new ImportError(`${file} must be gs://BUCKET/OBJECT`);
  const path = pathOf(`object-${basename(name)}`);
  try {
    await storage.bucket(bucket).file(name).download({ destination: path });
  } catch (error) {
    throw new ImportError(`${file} cannot be read: ${messageOf(error)}`);
  }
  return path;
}

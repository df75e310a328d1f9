import { createHash } from "node:crypto";
import { type Zippable, zipSync } from "fflate";

/** The files of an archive: content by path. */
export type Files = ReadonlyMap<string, string>;

const UNIX = 3;
const READABLE_FILE = 0o100644 << 16;

/** Returns a reproducible ZIP: entries sorted by path, with a constant time and mode. */
export function zip(files: Files): Uint8Array {
  // ZIP stores local time, so a local date gives the same bytes in every time zone.
  const mtime = new Date(2000, 0, 1);
  const entries: Zippable = {};
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    entries[path] = [new TextEncoder().encode(content), { level: 6, mtime, os: UNIX, attrs: READABLE_FILE }];
  return zipSync(entries);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

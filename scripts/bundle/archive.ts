import { createHash } from "node:crypto";
import { type Zippable, zipSync } from "fflate";

/** The files of an archive by their path in it. */
export type Files = ReadonlyMap<string, string>;

const UNIX = 3;
const READABLE_FILE = 0o100644 << 16;

/** A ZIP whose bytes depend on its files alone: in the order of their paths, all of one time and one mode. */
export function zip(files: Files): Uint8Array {
  // A ZIP stores local time: the same in every time zone.
  const mtime = new Date(2000, 0, 1);
  const entries: Zippable = {};
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    entries[path] = [new TextEncoder().encode(content), { level: 6, mtime, os: UNIX, attrs: READABLE_FILE }];
  return zipSync(entries);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

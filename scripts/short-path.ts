import { relative } from "node:path";

/** Returns a path relative to the working directory, unchanged if it is outside. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

import { relative } from "node:path";

/** As a person in the project's folder would type it. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

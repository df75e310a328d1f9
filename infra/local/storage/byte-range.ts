import { StorageFault } from "./storage-fault.ts";

/** First and last byte, both included (RFC 9110 §14.1.2). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header for content of `size` bytes. `undefined` means all of it, also for a malformed header or several ranges, which
 * may be ignored. Throws a 416 if the range contains no byte.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (header === undefined || (first === "" && last === "")) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  if (start > end) throw new StorageFault("rangeNotSatisfiable", `Request range not satisfiable`, { "Content-Range": `bytes */${size}` });
  return { start, end };
}

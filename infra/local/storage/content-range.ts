import { invalid } from "./storage-fault.ts";

/** The bytes that a request to an upload session declares. */
export interface UploadRange {
  /** Offset of the first byte. `undefined` for a status query (`bytes *​/…`). */
  readonly start: number | undefined;
  /** Offset after the last byte. `undefined`: the whole body. */
  readonly end: number | undefined;
  /** Size of the whole object, if the client knows it. */
  readonly total: number | undefined;
}

/** Parses `Content-Range` of an upload. Without one, the body is the whole object. Throws a 400. */
export function parseUploadRange(header: string | undefined): UploadRange {
  if (header === undefined) return { start: 0, end: undefined, total: undefined };
  const match = /^bytes (?:(?<start>\d{1,15})-(?<last>\d{1,15}|\*)|\*)\/(?<total>\d{1,15}|\*)$/.exec(header.trim());
  if (!match) throw invalid(`Failed to parse Content-Range header: ${header}`);
  const { start, last, total } = match.groups ?? {};
  const range = { start: toNumber(start), end: last === undefined || last === "*" ? undefined : Number(last) + 1, total: toNumber(total) };
  const { start: from = 0, end = from, total: size = end } = range;
  if (end < from || end > size) throw invalid(`Failed to parse Content-Range header: ${header}`);
  return range;
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined || text === "*" ? undefined : Number(text);
}

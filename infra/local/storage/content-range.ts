import { invalid } from "./storage-fault.ts";

/** What a request to an upload session says about its bytes. */
export interface UploadRange {
  /** Offset of the first byte; `undefined` asks how far the upload is (`bytes *​/…`). */
  readonly start: number | undefined;
  /** Offset behind the last byte; `undefined`: all that comes. */
  readonly end: number | undefined;
  /** Size of the whole object, where the client knows it. */
  readonly total: number | undefined;
}

/** Reads `Content-Range` of an upload; without one, the body is the whole object. Throws a 400. */
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

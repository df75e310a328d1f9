import { invalid } from "./storage-fault.ts";

/** The last entry of a page: an object's name or a common prefix. */
export interface PageEnd {
  readonly entry: string;
  readonly isPrefix: boolean;
}

export function encodePageToken({ entry, isPrefix }: PageEnd): string {
  return Buffer.from(`${isPrefix ? "p" : "n"}${entry}`).toString("base64url");
}

/** Decodes a page token. Throws a 400 if it is invalid. A forged one only moves the start of a list: prefixes still apply. */
export function decodePageToken(token: string): PageEnd {
  const text = Buffer.from(token, "base64url").toString();
  const end = { entry: text.slice(1), isPrefix: text.startsWith("p") };
  if (encodePageToken(end) !== token) throw invalid("Invalid page token.");
  return end;
}

import { invalid } from "./storage-fault.ts";

/** The last entry of a page: an object's name or a common prefix. */
export interface PageEnd {
  readonly entry: string;
  readonly isPrefix: boolean;
  /** Whether the object that is named like the prefix comes next. */
  readonly isObjectNext?: boolean;
}

const KINDS = { object: "n", prefix: "p", prefixBeforeObject: "d" } as const;

export function encodePageToken({ entry, isPrefix, isObjectNext = false }: PageEnd): string {
  const kind = isObjectNext ? KINDS.prefixBeforeObject : isPrefix ? KINDS.prefix : KINDS.object;
  return Buffer.from(kind + entry).toString("base64url");
}

/** Decodes a page token. Throws a 400 if it is invalid. A forged one only moves the start of a list: prefixes still apply. */
export function decodePageToken(token: string): PageEnd {
  const text = Buffer.from(token, "base64url").toString();
  const isObjectNext = text.startsWith(KINDS.prefixBeforeObject);
  const end = { entry: text.slice(1), isPrefix: isObjectNext || text.startsWith(KINDS.prefix), isObjectNext };
  if (encodePageToken(end) !== token) throw invalid("Invalid page token.");
  return end;
}

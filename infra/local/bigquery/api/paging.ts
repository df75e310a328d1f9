import { BigQueryError } from "../model.ts";

/** Parses a non-negative integer from the query string. Throws `invalid` for anything else. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d+$/.test(text)) throw new BigQueryError("invalid", `Invalid value for ${name}: "${text}" is not a non-negative integer.`, name);
  return Number(text);
}

const TRUE = new Set(["true", "t", "yes", "y", "1"]);
const FALSE = new Set(["false", "f", "no", "n", "0"]);

/**
 * Parses a boolean of the query string in the forms that Google's APIs take: in any case, since Python's clients send `True`. Absent is
 * false. Throws `invalid` for anything else.
 */
export function booleanOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)?.toLowerCase() ?? "";
  if (TRUE.has(text)) return true;
  if (text === "" || FALSE.has(text)) return false;
  throw new BigQueryError("invalid", `Invalid value for ${name}: "${query.get(name)}" is neither true nor false.`, name);
}

/** Items of a list that clients ask for without `maxResults`. */
const PAGE_ITEMS = 50;

/** Returns the page of a list that `maxResults` and `pageToken` ask for, with the token of the next one. Throws `invalid` for either. */
export function pageOfList<Item>(
  all: readonly Item[],
  query: URLSearchParams,
): { readonly items: readonly Item[]; readonly next: { readonly nextPageToken?: string } } {
  const start = offsetOfToken(query.get("pageToken"));
  const items = all.slice(start, start + (numberOf(query, "maxResults") ?? PAGE_ITEMS));
  const end = start + items.length;
  return { items, next: end < all.length ? { nextPageToken: tokenOfOffset(end) } : {} };
}

/** Returns the offset of a page. Throws `invalid` for a page token that this server did not issue. */
export function offsetOfToken(token: string | null): number {
  if (token === null || token === "") return 0;
  const [, offset] = /^at (\d+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (offset === undefined) throw new BigQueryError("invalid", `Invalid page token: ${token}`, "pageToken");
  return Number(offset);
}

export function tokenOfOffset(offset: number): string {
  return Buffer.from(`at ${offset}`).toString("base64url");
}

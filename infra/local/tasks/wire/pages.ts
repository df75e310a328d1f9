import { status } from "@grpc/grpc-js";
import { RpcError } from "./rpc-error.ts";

/**
 * Returns a page of items sorted by name, and the next page's token ("" after the last page). Throws INVALID_ARGUMENT for an invalid token.
 */
export function pageOf<Item extends { readonly name: string }>(
  items: Iterable<Item>,
  request: { readonly pageSize: number; readonly pageToken: string },
  pageSizeMax: number,
): { items: Item[]; nextPageToken: string } {
  if (request.pageSize < 0) throw new RpcError(status.INVALID_ARGUMENT, "The page size must not be negative.");
  const size = Math.min(request.pageSize || pageSizeMax, pageSizeMax);
  const after = decode(request.pageToken);
  const rest = [...items].filter(({ name }) => name > after).sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return { items: page, nextPageToken: last !== undefined && rest.length > size ? encode(last.name) : "" };
}

function encode(name: string): string {
  return Buffer.from(`after:${name}`).toString("base64url");
}

function decode(token: string): string {
  if (token === "") return "";
  const text = Buffer.from(token, "base64url").toString();
  if (!text.startsWith("after:")) throw new RpcError(status.INVALID_ARGUMENT, "The page token is invalid.");
  return text.slice("after:".length);
}

import { wireDocument } from "./document.ts";
import { compareText, parseParent } from "./names.ts";
import { invalid, unsupported } from "./refusal.ts";
import type { Store, View } from "./store.ts";
import type { ListCollectionsRequest, ListCollectionsResponse, ListDocumentsRequest, ListDocumentsResponse } from "./wire-calls.ts";

const PAGE_MAX = 300;

/** Returns the ids of the collections directly below a document or the root that hold documents at any depth. */
export function listCollections(store: Store, request: ListCollectionsRequest): ListCollectionsResponse {
  if (request.readTime !== undefined) throw unsupported("Listing collections of the past");
  parseParent(request.parent);
  const ids = idsBelow(store.collections(), request.parent);
  const { page, nextPageToken } = pageOf(ids, request);
  return { collectionIds: page, nextPageToken };
}

/**
 * Lists the documents of a collection by id. `showMissing` adds missing documents that have subcollections; these have no times. A page
 * token is the last id of the previous page in base64url.
 */
export function listDocuments(store: Store, view: View, request: ListDocumentsRequest): ListDocumentsResponse {
  if (request.orderBy !== "" && request.orderBy !== "__name__") throw unsupported("Listing in an order");
  if (request.collectionId === "") throw invalid("A collection id is missing.");
  parseParent(request.parent);
  const collection = `${request.parent}/${request.collectionId}`;
  const ids = new Set<string>();
  for (const document of view.scan({ kind: "collection", collection })) ids.add(document.id);
  if (request.showMissing) for (const id of idsBelow(store.collections(), collection)) ids.add(id);
  const { page, nextPageToken } = pageOf([...ids], request);
  const documents = page.map((id) => {
    const name = `${collection}/${id}`;
    const document = view.get(name);
    return document === undefined ? { name, fields: {}, createTime: null, updateTime: null } : wireDocument(document, request.mask);
  });
  return { documents, nextPageToken };
}

/** Returns the ids that directly follow a name in the names of collections. */
function idsBelow(collections: Iterable<string>, name: string): string[] {
  const ids = new Set<string>();
  for (const collection of collections) {
    if (!collection.startsWith(`${name}/`)) continue;
    const [id] = collection.slice(name.length + 1).split("/");
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

function pageOf(ids: string[], { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string }) {
  const after = Buffer.from(pageToken, "base64url").toString();
  const rest = ids.filter((id) => compareText(id, after) > 0).sort(compareText);
  const page = rest.slice(0, pageSize > 0 ? pageSize : PAGE_MAX);
  const more = page.length < rest.length;
  return { page, nextPageToken: more ? Buffer.from(page.at(-1) ?? "").toString("base64url") : "" };
}

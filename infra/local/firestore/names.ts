import { invalid } from "./refusal.ts";

/** A parsed document resource name. `collection` is the full name of the collection that holds the document. */
export interface DocumentName {
  readonly name: string;
  readonly collection: string;
  readonly collectionId: string;
  readonly id: string;
}

const ID_BYTES_MAX = 1500;

/** Parses a document's name and checks that it belongs to the database. Throws INVALID_ARGUMENT. */
export function parseDocumentName(database: string, name: string): DocumentName {
  const root = `${database}/documents/`;
  if (!name.startsWith(root)) throw invalid(`Document name "${name}" is not in the database "${database}".`);
  const segments = name.slice(root.length).split("/");
  if (segments.length % 2 !== 0) throw invalid(`Document name "${name}" lacks a document id.`);
  for (const segment of segments) checkId(segment, name);
  const id = segments.at(-1) ?? "";
  const collection = name.slice(0, -id.length - 1);
  return { name, collection, collectionId: segments.at(-2) ?? "", id };
}

/** Returns the database and the document (undefined for the root) of a request's `parent`. Throws INVALID_ARGUMENT. */
export function parseParent(parent: string): { readonly database: string; readonly document: DocumentName | undefined } {
  const match = /^(projects\/[^/]+\/databases\/[^/]+)\/documents(\/.+)?$/s.exec(parent);
  const database = match?.[1];
  if (database === undefined) throw invalid(`Invalid parent name "${parent}".`);
  return { database, document: match?.[2] === undefined ? undefined : parseDocumentName(database, parent) };
}

const ROOT = /^(projects\/[^/]+\/databases\/[^/]+)\/documents\//;

/** Returns the database of a document's name, and the document's path below it. A project or a database may be called `documents`, too. */
export function splitName(name: string): { readonly database: string; readonly path: string } {
  return { database: ROOT.exec(name)?.[1] ?? "", path: name.replace(ROOT, "") };
}

/** Throws INVALID_ARGUMENT for an invalid document or collection id. */
export function checkId(id: string, where: string): void {
  if (id === "" || id === "." || id === "..") throw invalid(`Document name "${where}" contains a resource id "${id}".`);
  if (/^__.*__$/s.test(id)) throw invalid(`Resource id "${id}" is invalid because it is reserved.`);
  if (id.length > ID_BYTES_MAX / 3 && Buffer.byteLength(id) > ID_BYTES_MAX) {
    throw invalid(`The key path element name is longer than ${ID_BYTES_MAX} bytes.`);
  }
}

/** Compares strings by their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Compares resource names segment by segment, as `__name__` does. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.split("/");
  const right = b.split("/");
  for (const [index, segment] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(segment, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Surrogates encode code points above all others, whose UTF-8 bytes sort last. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

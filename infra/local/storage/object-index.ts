import type { ObjectMetadata } from "./object-metadata.ts";
import { compareBytes } from "./object-name.ts";
import { decodePageToken, encodePageToken, type PageEnd } from "./page-token.ts";

export interface ListOptions {
  readonly prefix?: string;
  readonly delimiter?: string;
  /** First name listed. */
  readonly startOffset?: string;
  /** First name not listed. */
  readonly endOffset?: string;
  /** Objects and prefixes together. Maximum and default are 1,000. */
  readonly maxResults?: number;
  readonly pageToken?: string;
  /** Whether an object whose name ends with the first delimiter after the prefix is listed beside its prefix. */
  readonly includeTrailingDelimiter?: boolean;
}

export interface ObjectList {
  readonly items: readonly ObjectMetadata[];
  readonly prefixes: readonly string[];
  readonly nextPageToken?: string;
}

/** The most objects and prefixes of a page, and how many it has unless told. */
export const LIST_RESULTS_MAX = 1000;

/** The live objects of one bucket, by name and in byte order. */
export class ObjectIndex {
  readonly #objects = new Map<string, ObjectMetadata>();
  readonly #names: string[];

  constructor(objects: Iterable<ObjectMetadata>) {
    for (const object of objects) this.#objects.set(object.name, object);
    this.#names = [...this.#objects.keys()].sort(compareBytes);
  }

  get(name: string): ObjectMetadata | undefined {
    return this.#objects.get(name);
  }

  set(object: ObjectMetadata): void {
    if (!this.#objects.has(object.name)) this.#names.splice(this.#firstAt(object.name), 0, object.name);
    this.#objects.set(object.name, object);
  }

  delete(name: string): void {
    if (this.#objects.delete(name)) this.#names.splice(this.#firstAt(name), 1);
  }

  /** Returns one page in byte order. Names below a common prefix are skipped, not visited. Throws a 400 for an invalid page token. */
  list(options: ListOptions): ObjectList {
    const { prefix = "", delimiter = "", startOffset = "", endOffset, pageToken } = options;
    const limit = Math.min(options.maxResults ?? LIST_RESULTS_MAX, LIST_RESULTS_MAX);
    const items: ObjectMetadata[] = [];
    const prefixes: string[] = [];
    const end = endOffset === undefined ? this.#names.length : this.#firstAt(endOffset);
    let last: PageEnd = pageToken === undefined ? { entry: "", isPrefix: false } : decodePageToken(pageToken);
    const first = this.#firstAt(compareBytes(prefix, startOffset) > 0 ? prefix : startOffset);
    let at = Math.max(first, this.#firstAfter(last));
    for (let name = this.#names[at]; at < end && name?.startsWith(prefix); name = this.#names[at]) {
      if (items.length + prefixes.length >= limit) return { items, prefixes, nextPageToken: encodePageToken(last) };
      const isPrefixToo = last.isObjectNext === true && name === last.entry;
      const common = isPrefixToo ? undefined : commonPrefix(name, prefix, delimiter);
      const object = this.#objects.get(name);
      if (common !== undefined) prefixes.push(common);
      else if (object) items.push(object);
      const isObjectNext = options.includeTrailingDelimiter === true && name === common;
      last = { entry: common ?? name, isPrefix: common !== undefined || isPrefixToo, isObjectNext };
      at = last.isPrefix ? this.#firstAfter(last) : at + 1;
    }
    return { items, prefixes };
  }

  /** Returns the index of the first name that is not less than `name`. */
  #firstAt(name: string): number {
    return this.#partition((other) => compareBytes(other, name) < 0);
  }

  /** Returns the index after an entry of a list. After a prefix, all names that start with it are skipped too, but its own object if that comes next. */
  #firstAfter({ entry, isPrefix, isObjectNext = false }: PageEnd): number {
    if (isObjectNext && this.#objects.has(entry)) return this.#firstAt(entry);
    return this.#partition((other) => compareBytes(other, entry) <= 0 || (isPrefix && other.startsWith(entry)));
  }

  /** Returns the number of leading names for which `isBefore` holds. It must hold for a leading part only. */
  #partition(isBefore: (name: string) => boolean): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const name = this.#names[middle];
      if (name !== undefined && isBefore(name)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function commonPrefix(name: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === "") return undefined;
  const end = name.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : name.slice(0, end + delimiter.length);
}

import { firstWhere } from "./bisect.ts";
import type { StoredDocument } from "./document.ts";
import { compareDocuments, isSortable, sideOfResults } from "./document-order.ts";
import { fieldReader } from "./filter.ts";
import type { Plan, SortKey } from "./plan.ts";
import { toMicros } from "./time.ts";
import type { Value } from "./wire.ts";

/** What an index serves: queries of one collection or all of an id, with equality of these fields, in this order or the reverse. */
export interface IndexShape {
  readonly collectionId: string;
  /** Whether documents of different collections are sorted together. */
  readonly isGroup: boolean;
  readonly equal: readonly string[];
  /** The first key is ascending. */
  readonly order: readonly SortKey[];
}

/** Returns the index that serves a plan, and a key that plans share that one index serves. Undefined for queries over all collections. */
export function shapeOf({ scope, required, order }: Plan): { readonly key: string; readonly shape: IndexShape } | undefined {
  if (scope.kind === "all") return undefined;
  const isGroup = scope.kind === "group";
  const collectionId = isGroup ? scope.collectionId : scope.collection.slice(scope.collection.lastIndexOf("/") + 1);
  const equal = [...new Set(required.filter(({ op }) => op === "EQUAL").map(({ fieldPath }) => fieldPath))].sort();
  const sorted = isReversed(order) ? order.map((key): SortKey => ({ ...key, sign: key.sign === 1 ? -1 : 1 })) : order;
  const key = JSON.stringify([collectionId, isGroup, equal, sorted.map(({ fieldPath, sign }) => [fieldPath, sign])]);
  return { key, shape: { collectionId, isGroup, equal, order: sorted } };
}

const isReversed = (order: readonly SortKey[]): boolean => order[0]?.sign === -1;

/** The documents of all collections of an id, by collection (unless of a group) and equal values, each part in order. */
export class SortedIndex {
  readonly shape: IndexShape;
  readonly #parts = new Map<string, StoredDocument[]>();
  readonly #reads: readonly ReturnType<typeof fieldReader>[];

  /** `documents` are all of the collection id. */
  constructor(shape: IndexShape, documents: Iterable<StoredDocument>) {
    this.shape = shape;
    this.#reads = shape.equal.map((fieldPath) => fieldReader({ fieldPath }));
    for (const document of documents) {
      const key = this.#partOf(document);
      const part = key === undefined ? undefined : this.#parts.get(key);
      if (part) part.push(document);
      else if (key !== undefined) this.#parts.set(key, [document]);
    }
    for (const part of this.#parts.values()) part.sort((a, b) => compareDocuments(a, b, shape.order));
  }

  /** Replaces a document's former state with its next one. Undefined: there was or is none. */
  replace(before: StoredDocument | undefined, next: StoredDocument | undefined): void {
    const from = before && this.#partOf(before);
    const to = next && this.#partOf(next);
    const left = from === undefined ? undefined : this.#parts.get(from);
    if (before && left) {
      const place = this.#placeOf(before, left);
      if (next && from === to && compareDocuments(before, next, this.shape.order) === 0) {
        left[place] = next;
        return;
      }
      left.splice(place, 1);
      if (left.length === 0 && from !== undefined) this.#parts.delete(from);
    }
    if (next === undefined || to === undefined) return;
    const entered = this.#parts.get(to);
    if (entered) entered.splice(this.#placeOf(next, entered), 0, next);
    else this.#parts.set(to, [next]);
  }

  /** The documents that can be results of a plan of this shape, in the plan's order. The plan's filter is still to be applied. */
  *read(plan: Plan): Iterable<StoredDocument> {
    const part = this.#parts.get(this.#partOfPlan(plan)) ?? [];
    const reversed = isReversed(plan.order);
    const at = (position: number) => part[reversed ? part.length - 1 - position : position];
    const side = (position: number) => {
      const document = at(position);
      return document === undefined ? 0 : sideOfResults(document, plan);
    };
    const end = firstWhere(part.length, (position) => side(position) > 0);
    for (let position = firstWhere(end, (position) => side(position) >= 0); position < end; position += 1) {
      const document = at(position);
      if (document !== undefined) yield document;
    }
  }

  #placeOf(document: StoredDocument, part: readonly StoredDocument[]): number {
    return firstWhere(part.length, (position) => {
      const other = part[position];
      return other !== undefined && compareDocuments(other, document, this.shape.order) >= 0;
    });
  }

  /** The key of the part that a document is in. Undefined if it lacks a field, and is in none. */
  #partOf(document: StoredDocument): string | undefined {
    let key = this.shape.isGroup ? "" : document.collection;
    for (const read of this.#reads) {
      const value = read(document);
      if (value === undefined) return undefined;
      key += `\n${keyOf(value)}`;
    }
    return isSortable(document, this.shape.order) ? key : undefined;
  }

  #partOfPlan({ scope, required }: Plan): string {
    let key = scope.kind === "collection" ? scope.collection : "";
    for (const path of this.shape.equal) {
      const condition = required.find(({ fieldPath, op }) => op === "EQUAL" && fieldPath === path);
      if (condition) key += `\n${keyOf(condition.value)}`;
    }
    return key;
  }
}

/** A key that equal values share. Others may share it too: the filter tells them apart. */
function keyOf(value: Value): string {
  switch (value.valueType) {
    case "booleanValue":
      return String(value.booleanValue);
    // 1 equals 1.0, 0 equals -0.
    case "integerValue":
      return String(Number(value.integerValue));
    case "doubleValue":
      return String(value.doubleValue);
    case "timestampValue":
      return String(toMicros(value.timestampValue));
    case "stringValue":
      return value.stringValue;
    case "referenceValue":
      return value.referenceValue;
    default:
      return value.valueType;
  }
}

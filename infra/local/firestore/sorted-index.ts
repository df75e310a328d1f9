import type { StoredDocument } from "./document.ts";
import { compareDocuments, isSortable, sideOfResults } from "./document-order.ts";
import { fieldReader } from "./filter.ts";
import type { Plan, SortKey } from "./plan.ts";
import { type Place, SortedBlocks } from "./sorted-blocks.ts";
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
  readonly #parts = new Map<string, SortedBlocks<StoredDocument>>();
  readonly #reads: readonly ReturnType<typeof fieldReader>[];

  /** `documents` are all of the collection id. */
  constructor(shape: IndexShape, documents: Iterable<StoredDocument>) {
    this.shape = shape;
    this.#reads = shape.equal.map((fieldPath) => fieldReader({ fieldPath }));
    for (const [key, part] of Map.groupBy(documents, (document) => this.#partOf(document))) {
      if (key === undefined) continue;
      const sorted = part.sort((a, b) => compareDocuments(a, b, shape.order));
      this.#parts.set(key, new SortedBlocks(sorted));
    }
  }

  /** Replaces a document's former state with its next one. Undefined: there was or is none. */
  replace(before: StoredDocument | undefined, next: StoredDocument | undefined): void {
    const from = before && this.#partOf(before);
    const to = next && this.#partOf(next);
    const left = from === undefined ? undefined : this.#parts.get(from);
    if (before && left) {
      const place = this.#placeOf(before, left);
      if (next && from === to && compareDocuments(before, next, this.shape.order) === 0) {
        left.replace(place, next);
        return;
      }
      left.remove(place);
      if (left.isEmpty && from !== undefined) this.#parts.delete(from);
    }
    if (next === undefined || to === undefined) return;
    const entered = this.#parts.get(to);
    if (entered) entered.insert(this.#placeOf(next, entered), next);
    else this.#parts.set(to, new SortedBlocks([next]));
  }

  /** The documents that can be results of a plan of this shape, in the plan's order. The plan's filter is still to be applied. */
  read(plan: Plan): Iterable<StoredDocument> {
    const part = this.#parts.get(this.#partOfPlan(plan));
    if (part === undefined) return [];
    const side = (document: StoredDocument) => sideOfResults(document, plan);
    // In the reverse of its order, a document before the results is after them here.
    if (isReversed(plan.order))
      return part.between(
        part.place((document) => side(document) <= 0),
        part.place((document) => side(document) < 0),
        true,
      );
    return part.between(
      part.place((document) => side(document) >= 0),
      part.place((document) => side(document) > 0),
      false,
    );
  }

  #placeOf(document: StoredDocument, part: SortedBlocks<StoredDocument>): Place {
    return part.place((other) => compareDocuments(other, document, this.shape.order) >= 0);
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

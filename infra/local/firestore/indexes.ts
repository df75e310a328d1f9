import type { StoredDocument } from "./document.ts";
import type { Plan } from "./plan.ts";
import { SortedIndex, shapeOf } from "./sorted-index.ts";

/** How many indexes are kept. The queries of a program have a few shapes; each index costs every write of its collections. */
const INDEXES_MAX = 100;

/** The indexes of one store's present state, each made when a query first needs it. The one unused for longest makes room. */
export class Indexes {
  readonly #indexes = new Map<string, SortedIndex>();
  readonly #documentsOf: (collectionId: string) => Iterable<StoredDocument>;

  /** `documentsOf` returns the present documents of all collections of an id. */
  constructor(documentsOf: (collectionId: string) => Iterable<StoredDocument>) {
    this.#documentsOf = documentsOf;
  }

  /** Returns the documents that can be results of a plan, in its order. Undefined if no index serves it. */
  sorted(plan: Plan): Iterable<StoredDocument> | undefined {
    const wanted = shapeOf(plan);
    if (wanted === undefined) return undefined;
    const { key, shape } = wanted;
    const index = this.#indexes.get(key) ?? new SortedIndex(shape, this.#documentsOf(shape.collectionId));
    // The keys are in the order of their last use.
    this.#indexes.delete(key);
    this.#indexes.set(key, index);
    const [unused] = this.#indexes.keys();
    if (this.#indexes.size > INDEXES_MAX && unused !== undefined) this.#indexes.delete(unused);
    return index.read(plan);
  }

  /** Follows a change of a document. Undefined: there was or is none. */
  replace(before: StoredDocument | undefined, next: StoredDocument | undefined): void {
    const collectionId = (next ?? before)?.collectionId;
    for (const index of this.#indexes.values()) if (index.shape.collectionId === collectionId) index.replace(before, next);
  }
}

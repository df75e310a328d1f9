import type { Changes, StoredDocument } from "./document.ts";
import { Indexes } from "./indexes.ts";
import { compareText } from "./names.ts";
import type { Restored } from "./persistence.ts";
import type { Plan } from "./plan.ts";
import { inScope, type Scope } from "./scope.ts";
import { SortedBlocks } from "./sorted-blocks.ts";

/** A state of all documents, current or past. */
export interface View {
  get(name: string): StoredDocument | undefined;
  /** The documents of a scope, in no particular order. */
  scan(scope: Scope): Iterable<StoredDocument>;
  /**
   * The documents that can be results of a plan, in its order, from an index. The plan's scope and filter are still to be applied. Undefined if
   * there is no index: all documents of the scope have to be read.
   */
  sorted(plan: Plan): Iterable<StoredDocument> | undefined;
}

interface Undo {
  readonly time: number;
  readonly name: string;
  readonly before: StoredDocument | undefined;
}

/** The maximum size of replaced documents that stay readable in the past. */
const PAST_BYTES_MAX = 16 * 1024 * 1024;
const ENTRY_OVERHEAD = 1_000;

/** The documents of one database, by name, by collection and in the orders of queries, with a short history. */
export class Store implements View {
  readonly #documents = new Map<string, StoredDocument>();
  /** The documents of each collection, sorted by id. */
  readonly #collections = new Map<string, SortedBlocks<StoredDocument>>();
  readonly #indexes = new Indexes((collectionId) => this.#ofCollectionId(collectionId));
  readonly #listeners = new Set<(changes: Changes) => void>();
  readonly #pins = new Map<object, number>();
  #past: Undo[] = [];
  #pastBytes = 0;
  /** States before this time are discarded. */
  #pastBegins = 0;

  /** Starts with the state `former`. */
  constructor(former?: Restored) {
    if (former) this.#restore(former);
  }

  get(name: string): StoredDocument | undefined {
    return this.#documents.get(name);
  }

  *scan(scope: Scope): Iterable<StoredDocument> {
    if (scope.kind === "collection") {
      yield* this.#collections.get(scope.collection) ?? [];
      return;
    }
    for (const documents of this.#collections.values()) {
      const [first] = documents;
      if (first !== undefined && inScope(scope, first)) yield* documents;
    }
  }

  sorted(plan: Plan): Iterable<StoredDocument> | undefined {
    return this.#indexes.sorted(plan);
  }

  /** The names of all collections with documents. */
  collections(): Iterable<string> {
    return this.#collections.keys();
  }

  /** Applies changes at a commit time (microseconds) and notifies the listeners. */
  commit(changes: Changes, time: number): void {
    for (const [name, next] of changes) {
      const before = this.#documents.get(name);
      this.#past.push({ time, name, before });
      this.#pastBytes += ENTRY_OVERHEAD + (before?.size ?? 0);
      if (next === undefined) this.#documents.delete(name);
      else this.#documents.set(name, next);
      const document = next ?? before;
      if (document !== undefined) this.#placeInCollection(document, next);
      this.#indexes.replace(before, next);
    }
    this.#forget();
    for (const listener of this.#listeners) listener(changes);
  }

  /** Calls the listener after every commit. Returns a function that unsubscribes it. */
  onCommit(listener: (changes: Changes) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the state at a time (microseconds), or undefined if it is discarded. */
  at(time: number): View | undefined {
    if (time < this.#pastBegins) return undefined;
    const older = new Map<string, StoredDocument | undefined>();
    for (let index = this.#past.length - 1; index >= 0; index -= 1) {
      const undo = this.#past[index];
      if (undo === undefined || undo.time <= time) break;
      older.set(undo.name, undo.before);
    }
    return older.size === 0 ? this : pastView(this, older);
  }

  /** Keeps the states since a time (microseconds) until `unpin` with the same owner. */
  pin(owner: object, time: number): void {
    this.#pins.set(owner, time);
  }

  unpin(owner: object): void {
    this.#pins.delete(owner);
  }

  /** The history is not persisted. It starts with the last commit. */
  #restore({ documents, time }: Restored): void {
    const collections = Map.groupBy(documents, ({ collection }) => collection);
    for (const [collection, siblings] of collections) {
      for (const document of siblings) this.#documents.set(document.name, document);
      this.#collections.set(collection, new SortedBlocks(siblings.sort((a, b) => compareText(a.id, b.id))));
    }
    this.#pastBegins = time;
  }

  *#ofCollectionId(collectionId: string): Iterable<StoredDocument> {
    for (const documents of this.#collections.values()) {
      const [first] = documents;
      if (first?.collectionId === collectionId) yield* documents;
    }
  }

  #placeInCollection(document: StoredDocument, next: StoredDocument | undefined): void {
    const siblings = this.#collections.get(document.collection) ?? new SortedBlocks<StoredDocument>();
    const place = siblings.place(({ id }) => compareText(id, document.id) >= 0);
    const isThere = siblings.at(place)?.id === document.id;
    if (next === undefined) {
      if (isThere) siblings.remove(place);
    } else if (isThere) siblings.replace(place, next);
    else siblings.insert(place, next);
    if (siblings.isEmpty) this.#collections.delete(document.collection);
    else this.#collections.set(document.collection, siblings);
  }

  #forget(): void {
    if (this.#pastBytes <= PAST_BYTES_MAX) return;
    const pinned = Math.min(...this.#pins.values());
    let kept = 0;
    for (const undo of this.#past) {
      // Discards half at once, so the array is not shifted at each commit.
      if (this.#pastBytes <= PAST_BYTES_MAX / 2 || undo.time > pinned) break;
      this.#pastBytes -= ENTRY_OVERHEAD + (undo.before?.size ?? 0);
      this.#pastBegins = undo.time;
      kept += 1;
    }
    this.#past = this.#past.slice(kept);
  }
}

function pastView(present: Store, older: ReadonlyMap<string, StoredDocument | undefined>): View {
  return {
    get: (name) => (older.has(name) ? older.get(name) : present.get(name)),
    *scan(scope) {
      for (const document of present.scan(scope)) if (!older.has(document.name)) yield document;
      for (const document of older.values()) if (document !== undefined && inScope(scope, document)) yield document;
    },
    sorted: () => undefined,
  };
}

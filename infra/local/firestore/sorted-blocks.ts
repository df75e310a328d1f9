import { firstWhere } from "./bisect.ts";

/** The most items of a block. An array of all items would move half of them for each one that is added: of 100,000 that takes 0.1 to 0.3 ms. */
const BLOCK_MAX = 512;

/** Where an item is, or where one would be. Valid until the items change. */
export interface Place {
  readonly block: number;
  readonly at: number;
}

/** Items in an order that whoever adds them keeps, in blocks of neighbours: a change moves the items of one block at most. */
export class SortedBlocks<T> {
  /** None is empty. */
  readonly #blocks: T[][] = [];

  /** `sorted` are the first items, in their order. */
  constructor(sorted: readonly T[] = []) {
    const half = BLOCK_MAX / 2;
    for (let first = 0; first < sorted.length; first += half) this.#blocks.push(sorted.slice(first, first + half));
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Returns the place of the first item that `isThere` holds for, else that after the last. It must hold for all items after the first, too. */
  place(isThere: (item: T) => boolean): Place {
    const holdsAt = (items: readonly T[] | undefined, position: number): boolean => {
      const item = items?.at(position);
      return item !== undefined && isThere(item);
    };
    const block = firstWhere(this.#blocks.length, (position) => holdsAt(this.#blocks[position], -1));
    const items = this.#blocks[block] ?? [];
    return { block, at: firstWhere(items.length, (position) => holdsAt(items, position)) };
  }

  /** Returns the item at a place. Undefined for the place after the last. */
  at({ block, at }: Place): T | undefined {
    return this.#blocks[block]?.[at];
  }

  /** Adds an item before the one at a place. */
  insert({ block, at }: Place, item: T): void {
    // After the last item is the end of its block.
    const own = block < this.#blocks.length ? block : Math.max(0, block - 1);
    const items = this.#blocks[own];
    if (items === undefined) this.#blocks.push([item]);
    else {
      items.splice(own === block ? at : items.length, 0, item);
      if (items.length > BLOCK_MAX) this.#blocks.splice(own + 1, 0, items.splice(BLOCK_MAX / 2));
    }
  }

  /** Puts another item in the place of one that is equal in the order. */
  replace({ block, at }: Place, item: T): void {
    const items = this.#blocks[block];
    if (items) items[at] = item;
  }

  remove({ block, at }: Place): void {
    const items = this.#blocks[block];
    items?.splice(at, 1);
    if (items?.length === 0) this.#blocks.splice(block, 1);
  }

  /** Returns all items in their order. */
  *[Symbol.iterator](): Iterator<T> {
    for (const items of this.#blocks) yield* items;
  }

  /** Returns the items from a place up to another, in their order or the reverse. */
  *between(from: Place, to: Place, isReversed: boolean): Iterable<T> {
    for (let step = 0; step <= to.block - from.block; step++) {
      const block = isReversed ? to.block - step : from.block + step;
      const items = this.#blocks[block] ?? [];
      const part = items.slice(block === from.block ? from.at : 0, block === to.block ? to.at : items.length);
      yield* isReversed ? part.reverse() : part;
    }
  }
}

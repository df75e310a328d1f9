import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SortedBlocks } from "./sorted-blocks.ts";

interface Item {
  readonly key: number;
  readonly version: number;
}

/** Some blocks of items at the start. */
const START = 2000;
const KEY_MAX = 5000;
const range = (from: number, to: number): Item[] => Array.from({ length: to - from }, (_, index) => ({ key: from + index, version: 0 }));
const changes = fc.array(fc.record({ key: fc.nat({ max: KEY_MAX }), isRemoved: fc.boolean() }), { minLength: 1, maxLength: 200 });
const starts = fc.nat({ max: KEY_MAX - START });

/** Follows the changes in blocks and in one array. */
function changed(start: number, list: readonly { readonly key: number; readonly isRemoved: boolean }[], repeats: number) {
  const blocks = new SortedBlocks(range(start, start + START));
  const model = new Map(range(start, start + START).map((item) => [item.key, item]));
  for (let version = 1; version <= repeats; version++)
    for (const { key, isRemoved } of list) {
      // Neighbours, so that blocks grow beyond their most and become empty.
      const own = (key + 7 * version) % (KEY_MAX + 1);
      const place = blocks.place((other) => other.key >= own);
      const isThere = blocks.at(place)?.key === own;
      expect(isThere).toBe(model.has(own));
      const item = { key: own, version };
      if (isRemoved) {
        if (isThere) blocks.remove(place);
        model.delete(own);
      } else {
        if (isThere) blocks.replace(place, item);
        else blocks.insert(place, item);
        model.set(own, item);
      }
    }
  return { blocks, sorted: [...model.values()].sort((a, b) => a.key - b.key) };
}

describe("items in sorted blocks", () => {
  it("are those of one sorted array after any changes, whole and between two places, in both directions", () => {
    fc.assert(
      fc.property(starts, changes, fc.nat({ max: KEY_MAX }), fc.nat({ max: KEY_MAX }), (start, list, one, other) => {
        const { blocks, sorted } = changed(start, list, 20);
        expect([...blocks]).toEqual(sorted);
        const [least, most] = [Math.min(one, other), Math.max(one, other)];
        const [from, to] = [least, most].map((bound) => blocks.place(({ key }) => key >= bound));
        if (!from || !to) throw new Error("no places");
        const wanted = sorted.filter(({ key }) => key >= least && key < most);
        expect([...blocks.between(from, to, false)]).toEqual(wanted);
        expect([...blocks.between(from, to, true)]).toEqual(wanted.reverse());
      }),
      { numRuns: 50 },
    );
  });

  it("that are all removed leave nothing, and the next one is the first", () => {
    const blocks = new SortedBlocks(range(0, START));
    for (const { key } of range(0, START).reverse()) blocks.remove(blocks.place((other) => other.key >= key));
    expect([blocks.isEmpty, [...blocks]]).toEqual([true, []]);
    blocks.insert(
      blocks.place(() => true),
      { key: 1, version: 0 },
    );
    expect([...blocks]).toEqual([{ key: 1, version: 0 }]);
  });

  it("are read from the end as far as a reader wants", () => {
    const blocks = new SortedBlocks(range(0, START));
    const read: number[] = [];
    const all = blocks.between(
      blocks.place(() => true),
      blocks.place(() => false),
      true,
    );
    for (const { key } of all) {
      if (read.push(key) === 3) break;
    }
    expect(read).toEqual([START - 1, START - 2, START - 3]);
  });
});

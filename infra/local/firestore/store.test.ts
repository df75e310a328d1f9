import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredDocument } from "./document.ts";
import { compareText, parseDocumentName } from "./names.ts";
import { Store, type View } from "./store.ts";

const DATABASE = "projects/p/databases/d";
const ALL = { kind: "all", below: `${DATABASE}/documents` } as const;

function document(path: string, time: number, size = 10): StoredDocument {
  return { ...parseDocumentName(DATABASE, `${DATABASE}/documents/${path}`), fields: {}, createTime: time, updateTime: time, size };
}

/** The names and times of all documents in a state. They identify it completely here. */
const contents = (view: View) =>
  new Map([...view.scan(ALL)].map(({ name, updateTime }) => [name, updateTime] as const).sort(([a], [b]) => compareText(a, b)));

describe("the store", () => {
  it("returns each past state unchanged, and collections sorted by id", () => {
    const path = fc.constantFrom("a/1", "a/2", "a/3", "b/1", "b/1/c/1", "a/1/a/2");
    const commit = fc.uniqueArray(fc.record({ path, deleted: fc.boolean() }), { selector: (change) => change.path, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 12 }), (commits) => {
        const store = new Store();
        const states = [contents(store)];
        for (const [index, changes] of commits.entries()) {
          const time = index + 1;
          const next = changes.map(({ path, deleted }) => [document(path, time).name, deleted ? undefined : document(path, time)] as const);
          store.commit(new Map(next), time);
          states.push(contents(store));
        }
        for (const [time, state] of states.entries()) {
          const past = store.at(time);
          expect(past && contents(past)).toEqual(state);
          for (const name of states.flatMap((other) => [...other.keys()])) expect(past?.get(name)?.updateTime).toBe(state.get(name));
        }
        const ids = [...store.scan({ kind: "collection", collection: `${DATABASE}/documents/a` })].map(({ id }) => id);
        expect(ids).toEqual([...ids].sort(compareText));
      }),
      { seed: 1 },
    );
  });

  it("discards old states when their documents need too much memory, and reports it", () => {
    const store = new Store();
    const megabyte = 1024 * 1024;
    for (let time = 1; time <= 40; time += 1) store.commit(new Map([[document("a/1", 0).name, document("a/1", time, megabyte)]]), time);
    expect(store.at(1)).toBeUndefined();
    expect(store.at(39)?.get(document("a/1", 0).name)?.updateTime).toBe(39);
  });

  it("does not discard pinned states", () => {
    const store = new Store();
    const reader = {};
    const { name } = document("a/1", 0);
    const commit = (time: number) => store.commit(new Map([[name, document("a/1", time, 1024 * 1024)]]), time);
    for (let time = 1; time <= 3; time += 1) commit(time);
    store.pin(reader, 2);
    for (let time = 4; time <= 60; time += 1) commit(time);
    expect(store.at(2)?.get(name)?.updateTime).toBe(2);
    store.unpin(reader);
    commit(61);
    expect(store.at(2)).toBeUndefined();
  });

  it("notifies listeners of each commit until they unsubscribe", () => {
    const store = new Store();
    const sizes: number[] = [];
    const stop = store.onCommit((changes) => sizes.push(changes.size));
    store.commit(new Map([[document("a/1", 1).name, document("a/1", 1)]]), 1);
    stop();
    store.commit(new Map(), 2);
    expect(sizes).toEqual([1]);
  });
});

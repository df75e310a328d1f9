import { AggregateField, type CollectionReference, FieldPath, Filter, type Query, Timestamp } from "@google-cloud/firestore";
import { expect } from "vitest";
import type { Check } from "./check.ts";

const CITIES = {
  a: { n: 1, kind: "x", tags: ["red", "blue"], at: new Timestamp(10, 1_000), in: { side: 1 } },
  b: { n: 2, kind: "y", tags: ["blue"], at: new Timestamp(10, 2_000), in: { side: 2 } },
  c: { n: 2.5, kind: "x", tags: [], at: new Timestamp(9, 0) },
  d: { n: Number.NaN, kind: "y", tags: ["green", 1] },
  e: { n: null, kind: null },
  f: { n: "2", kind: "z", tags: "blue" },
  g: { kind: "x" },
} as const;

const ids = async (query: Query) => (await query.get()).docs.map(({ id }) => id).join("");

/** A query over the collection above and the expected ids, in order. */
const tables: readonly (readonly [query: string, build: (all: CollectionReference) => Query, expected: string])[] = [
  ["everything", (all) => all, "abcdefg"],
  ["==", (all) => all.where("n", "==", 2), "b"],
  ["== null", (all) => all.where("n", "==", null), "e"],
  ["== NaN", (all) => all.where("n", "==", Number.NaN), "d"],
  ["== with a map", (all) => all.where("in", "==", { side: 2 }), "b"],
  ["== with an array", (all) => all.where("tags", "==", ["red", "blue"]), "a"],
  ["== inside a map", (all) => all.where("in.side", "==", 1), "a"],
  ["!= skips null and missing fields", (all) => all.where("n", "!=", 2), "dacf"],
  ["!= null", (all) => all.where("n", "!=", null), "dabcf"],
  ["< stays within numbers", (all) => all.where("n", "<", 2.5), "ab"],
  ["<=", (all) => all.where("n", "<=", 2.5), "abc"],
  [">", (all) => all.where("n", ">", 1), "bc"],
  [">=", (all) => all.where("n", ">=", 2), "bc"],
  ["> stays within strings", (all) => all.where("n", ">", "1"), "f"],
  ["a time range to the microsecond", (all) => all.where("at", ">", new Timestamp(10, 1_000)), "b"],
  ["two ranges", (all) => all.where("n", ">=", 1).where("in.side", ">", 1), "b"],
  ["in skips null and NaN", (all) => all.where("n", "in", [null, Number.NaN, 1]), "a"],
  ["not-in with null matches nothing", (all) => all.where("n", "not-in", [null, 1]), ""],
  ["in", (all) => all.where("kind", "in", ["z", "x"]), "acfg"],
  ["not-in", (all) => all.where("kind", "not-in", ["x", "z"]), "bd"],
  ["array-contains", (all) => all.where("tags", "array-contains", "blue"), "ab"],
  ["array-contains-any", (all) => all.where("tags", "array-contains-any", ["red", 1]), "ad"],
  ["several ==", (all) => all.where("kind", "==", "x").where("n", "==", 1), "a"],
  ["or", (all) => all.where(Filter.or(Filter.where("n", "==", 1), Filter.where("kind", "==", "z"))), "af"],
  [
    "and in or",
    (all) => all.where(Filter.or(Filter.and(Filter.where("n", ">", 1), Filter.where("kind", "==", "x")), Filter.where("n", "==", 2))),
    "bc",
  ],
  ["the name", (all) => all.where(FieldPath.documentId(), ">", "e"), "fg"],
  ["several names", (all) => all.where(FieldPath.documentId(), "in", ["g", "a", "none"]), "ag"],
  ["order over all types, without documents that lack the field", (all) => all.orderBy("n"), "edabcf"],
  ["descending order", (all) => all.orderBy("n", "desc"), "fcbade"],
  ["two orders", (all) => all.orderBy("kind").orderBy("n", "desc"), "ecabdf"],
  ["equal values by name", (all) => all.orderBy("kind"), "eacgbdf"],
  ["equal values by name, descending", (all) => all.orderBy("kind", "desc"), "fdbgcae"],
  ["descending by name", (all) => all.where("kind", "==", "x").orderBy(FieldPath.documentId(), "desc"), "gca"],
  ["limit", (all) => all.orderBy("n").limit(3), "eda"],
  ["limitToLast", (all) => all.orderBy("n").limitToLast(2), "cf"],
  ["offset", (all) => all.orderBy("n").offset(2).limit(2), "ab"],
  ["startAt", (all) => all.orderBy("n").startAt(2), "bcf"],
  ["startAfter", (all) => all.orderBy("n").startAfter(2), "cf"],
  ["endAt", (all) => all.orderBy("n").endAt(2), "edab"],
  ["endBefore", (all) => all.orderBy("n").endBefore(2), "eda"],
  ["cursors on two orders", (all) => all.orderBy("kind").orderBy("n").startAfter("x", 1).endAt("y", 2), "cdb"],
  ["a cursor at the start of an order", (all) => all.orderBy("kind").orderBy("n").startAt("y"), "dbf"],
  ["descending cursors", (all) => all.orderBy("n", "desc").startAfter("2").endBefore(1), "cb"],
];

async function cities(all: CollectionReference): Promise<CollectionReference> {
  await Promise.all(Object.entries(CITIES).map(([id, city]) => all.doc(id).set(city)));
  return all;
}

export const queryChecks: readonly Check[] = [
  {
    name: "queries return the expected documents in order",
    async run({ fresh }) {
      const all = await cities(fresh());
      const found = await Promise.all(tables.map(async ([query, build]) => [query, await ids(build(all))] as const));
      expect(found).toEqual(tables.map(([query, , expected]) => [query, expected]));
    },
  },
  {
    name: "pagination by the last document of the previous page visits every document, also with equal values",
    async run({ fresh }) {
      const all = await cities(fresh());
      const seen: string[] = [];
      for (let page = await all.orderBy("kind", "desc").limit(2).get(); page.size > 0; ) {
        seen.push(...page.docs.map(({ id }) => id));
        const last = page.docs.at(-1);
        page = await all.orderBy("kind", "desc").startAfter(last).limit(2).get();
      }
      expect(seen.join("")).toBe("fdbgcae");
    },
  },
  {
    name: "names sort by their UTF-8 bytes",
    async run({ fresh }) {
      const all = fresh();
      const names = ["A", "Z", "a", "aa", "b", "é", "\uffff", "😀"];
      await Promise.all(names.map((name) => all.doc(name).set({ n: name })));
      expect((await all.get()).docs.map(({ id }) => id)).toEqual(names);
      expect((await all.orderBy("n", "desc").get()).docs.map(({ id }) => id)).toEqual(names.toReversed());
    },
  },
  {
    name: "a projection returns only its fields; an empty one only names",
    async run({ fresh }) {
      const all = await cities(fresh());
      const selected = await all.where("n", "==", 1).select("kind", "in.side").get();
      expect(selected.docs.map((found) => found.data())).toEqual([{ kind: "x", in: { side: 1 } }]);
      const names = await all.where("n", "==", 1).select().get();
      expect(names.docs.map((found) => [found.id, found.data()])).toEqual([["a", {}]]);
    },
  },
  {
    name: "a query covers only its own collection; a group covers all collections of that name, below a document or everywhere",
    async run({ db, fresh }) {
      const { id } = fresh();
      const [inside, deeper, other] = [db.doc(`top/1/${id}/a`), db.doc(`top/1/mid/2/${id}/b`), db.doc(`top/1/mid/2/${id}x/c`)];
      const first = db.doc(`${id}/z`);
      await Promise.all([inside, deeper, other, first].map((ref, n) => ref.set({ n })));
      const paths = async (query: Query) => (await query.get()).docs.map(({ ref }) => ref.path);
      expect(await paths(db.collection(id))).toEqual([first.path]);
      expect(await paths(db.collectionGroup(id))).toEqual([first.path, inside.path, deeper.path].sort());
      expect(await paths(db.collectionGroup(id).where("n", "<", 2).orderBy("n", "desc"))).toEqual([deeper.path, inside.path]);
      expect((await db.collectionGroup(id).count().get()).data().count).toBe(3);
    },
  },
  {
    name: "counts, sums and averages use the numbers of the query's documents",
    async run({ fresh }) {
      const all = await cities(fresh());
      const numbers = all.where("n", ">=", 1);
      const { count, sum, average } = AggregateField;
      const of = async (query: Query) => (await query.aggregate({ count: count(), sum: sum("n"), average: average("n") }).get()).data();
      expect(await of(numbers)).toEqual({ count: 3, sum: 5.5, average: 5.5 / 3 });
      expect(await of(numbers.limit(2))).toEqual({ count: 2, sum: 3, average: 1.5 });
      expect(await of(all.where("n", "==", 99))).toEqual({ count: 0, sum: 0, average: null });
      expect((await all.count().get()).data().count).toBe(7);
      expect((await all.aggregate({ sum: sum("n") }).get()).data()).toEqual({ sum: Number.NaN });
      expect((await all.aggregate({ count: count(), sum: sum("in.side") }).get()).data()).toEqual({ count: 2, sum: 3 });
    },
  },
  {
    name: "a query has a read time and its documents have their times",
    async run({ fresh }) {
      const all = fresh();
      const { writeTime } = await all.doc("x").set({ n: 1 });
      const result = await all.get();
      expect(result.docs[0]?.updateTime.isEqual(writeTime)).toBe(true);
      expect(result.readTime.valueOf() >= writeTime.valueOf()).toBe(true);
      expect((await all.where("n", "==", 2).get()).readTime.valueOf() >= writeTime.valueOf()).toBe(true);
    },
  },
  {
    name: "a thousand documents stream in order",
    async run({ db, fresh }) {
      const all = fresh();
      const batch = db.batch();
      for (let n = 0; n < 1_000; n += 1) batch.set(all.doc(String(n)), { n });
      await batch.commit();
      const seen: unknown[] = [];
      for await (const found of all.orderBy("n").stream()) seen.push("data" in Object(found) ? Object(found).get("n") : found);
      expect(seen).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    },
  },
];

import { randomBytes } from "node:crypto";
import { FieldPath, FieldValue, GeoPoint, Timestamp } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { readDocument } from "../../../../shared/google/read-document.ts";
import { type Check, refused } from "./check.ts";

/** The maximum size of a top-level property, bytes. The rest of 1 MiB is for the document's name, other fields and overheads. */
const PROPERTY_BYTES_MAX = 1_048_487;

export const documentChecks: readonly Check[] = [
  {
    name: "a document is read back as it was set, with all value types",
    async run({ fresh }) {
      const ref = fresh().doc("all-types");
      const value = {
        nothing: null,
        yes: true,
        no: false,
        integer: -42,
        large: Number.MAX_SAFE_INTEGER,
        double: 0.1,
        huge: 1e300,
        infinite: Number.NEGATIVE_INFINITY,
        text: "žluťoučký 🐎 \u0000 \u{10ffff}",
        empty: "",
        bytes: randomBytes(40),
        reference: ref,
        point: new GeoPoint(59.437, 24.7536),
        when: new Timestamp(-5, 1_000),
        list: [1, "two", { three: [3, null] }, { none: [] }],
        map: { deep: { er: { "key with . and ` and \\": [{}] } }, none: {} },
        constructor: "a field named like a method",
      };
      await ref.set(value);
      expect((await ref.get()).data()).toEqual(value);
      expect(await readDocument(ref)).toEqual(value);
    },
  },
  {
    name: "NaN, minus zero and 64-bit integers keep their value",
    async run({ fresh, connect }) {
      const exact = connect({ useBigInt: true });
      const ref = exact.doc(fresh().doc("numbers").path);
      await ref.set({ nan: Number.NaN, zero: -0, most: 2n ** 63n - 1n, least: -(2n ** 63n), odd: 2n ** 53n + 1n });
      expect((await ref.get()).data()).toEqual({
        nan: Number.NaN,
        zero: -0,
        most: 2n ** 63n - 1n,
        least: -(2n ** 63n),
        odd: 2n ** 53n + 1n,
      });
    },
  },
  {
    name: "a timestamp is truncated to microseconds",
    async run({ fresh }) {
      const ref = fresh().doc("time");
      await ref.set({ at: new Timestamp(1_700_000_000, 123_456_789), inside: [new Timestamp(0, 999)] });
      expect((await ref.get()).data()).toEqual({ at: new Timestamp(1_700_000_000, 123_456_000), inside: [new Timestamp(0, 0)] });
    },
  },
  {
    name: "a missing document is reported as missing, alone and in a batch, in the requested order",
    async run({ db, fresh }) {
      const collection = fresh();
      await collection.doc("b").set({ n: 2 });
      expect((await collection.doc("a").get()).exists).toBe(false);
      expect(await readDocument(collection.doc("a"))).toBeUndefined();
      const all = await db.getAll(collection.doc("c"), collection.doc("b"), collection.doc("a"), collection.doc("b"));
      expect(all.map(({ id, exists }) => [id, exists])).toEqual([
        ["c", false],
        ["b", true],
        ["a", false],
        ["b", true],
      ]);
    },
  },
  {
    name: "a field mask returns only its fields",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ a: 1, b: { c: 2, d: 3 }, "e.f": 4 });
      const [one] = await db.getAll(ref, { fieldMask: ["b.c", new FieldPath("e.f"), "none"] });
      expect(one?.data()).toEqual({ b: { c: 2 }, "e.f": 4 });
    },
  },
  {
    name: "set replaces the document; merge keeps fields that are not named",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ a: 1, b: { c: 2, d: 3 } });
      await ref.set({ b: { c: 4 }, e: 5 }, { merge: true });
      expect((await ref.get()).data()).toEqual({ a: 1, b: { c: 4, d: 3 }, e: 5 });
      await ref.set({ a: 9, b: { c: 6, d: 7 } }, { mergeFields: ["b.d"] });
      expect((await ref.get()).data()).toEqual({ a: 1, b: { c: 4, d: 7 }, e: 5 });
      await ref.set({ b: { none: FieldValue.delete() }, e: FieldValue.delete() }, { merge: true });
      expect((await ref.get()).data()).toEqual({ a: 1, b: { c: 4, d: 7 } });
      await ref.set({ z: 1 });
      expect((await ref.get()).data()).toEqual({ z: 1 });
    },
  },
  {
    name: "an empty merge creates the document",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.set({}, { merge: true });
      expect((await ref.get()).data()).toEqual({});
    },
  },
  {
    name: "update changes and deletes single fields, also inside maps",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ a: 1, b: { c: 2, d: 3 }, e: 4 });
      await ref.update({ "b.c": FieldValue.delete(), "b.new.er": 1, e: FieldValue.delete(), "none.at.all": FieldValue.delete() });
      expect((await ref.get()).data()).toEqual({ a: 1, b: { d: 3, new: { er: 1 } } });
      await ref.update({ "a.inside": 1 }, { exists: true });
      expect((await ref.get()).data()).toEqual({ a: { inside: 1 }, b: { d: 3, new: { er: 1 } } });
    },
  },
  {
    name: "update times increase with every change; a no-op write keeps them; the create time stays",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      const first = await ref.set({ a: 1 });
      const same = await ref.set({ a: 1 });
      const second = await ref.set({ a: 2 });
      expect(same.writeTime.isEqual(first.writeTime)).toBe(true);
      expect(second.writeTime.valueOf() > first.writeTime.valueOf()).toBe(true);
      const read = await ref.get();
      expect(read.updateTime?.isEqual(second.writeTime)).toBe(true);
      expect(read.createTime?.isEqual(first.writeTime)).toBe(true);
      expect(read.readTime.valueOf() >= second.writeTime.valueOf()).toBe(true);
    },
  },
  {
    name: "a deleted document is gone, and has a new create time when it is created again",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      const first = await ref.set({ a: 1 });
      await ref.delete();
      await ref.delete();
      expect((await ref.get()).exists).toBe(false);
      await ref.create({ a: 2 });
      const again = await ref.get();
      expect(again.data()).toEqual({ a: 2 });
      expect((again.createTime?.valueOf() ?? "") > first.writeTime.valueOf()).toBe(true);
    },
  },
  {
    name: "a document just under 1 MiB is stored; a larger one is refused and changes nothing",
    async run({ fresh }) {
      const ref = fresh().doc("large");
      await ref.set({ text: "x".repeat(PROPERTY_BYTES_MAX - 1_000) });
      await refused(ref.set({ text: "x".repeat(PROPERTY_BYTES_MAX + 1) }), status.INVALID_ARGUMENT);
      await refused(ref.update({ more: "y".repeat(20_000) }), status.INVALID_ARGUMENT);
      expect(Object.keys((await ref.get()).data() ?? {})).toEqual(["text"]);
    },
  },
  {
    name: "subcollections and their documents are listed, also below missing documents",
    async run({ db, fresh }) {
      const collection = fresh();
      await collection.doc("b/notes/1").set({ n: 1 });
      await collection.doc("b/tags/1").set({ n: 1 });
      await collection.doc("a").set({ n: 1 });
      await collection.doc("c/one/two/three/four").set({ n: 1 });
      expect((await collection.doc("b").listCollections()).map(({ id }) => id)).toEqual(["notes", "tags"]);
      expect((await collection.doc("c").listCollections()).map(({ id }) => id)).toEqual(["one"]);
      expect((await collection.doc("a").listCollections()).map(({ id }) => id)).toEqual([]);
      expect((await collection.listDocuments()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
      expect((await db.listCollections()).map(({ id }) => id)).toContain(collection.id);
      expect((await collection.get()).docs.map(({ id }) => id)).toEqual(["a"]);
    },
  },
  {
    name: "a document's id may have a line break, also that of one with subcollections",
    async run({ fresh }) {
      const ref = fresh().doc("two\nlines");
      await ref.collection("notes").doc("a\nb").set({ n: 1 });
      expect((await ref.collection("notes").get()).docs.map(({ id }) => id)).toEqual(["a\nb"]);
      expect((await ref.listCollections()).map(({ id }) => id)).toEqual(["notes"]);
    },
  },
  {
    name: "a recursive delete removes a document and everything below it, and nothing else",
    async run({ db, fresh }) {
      const collection = fresh();
      await Promise.all(["a", "a/x/1", "a/x/1/y/2", "ab", "ab/x/1"].map((path) => collection.doc(path).set({ n: 1 })));
      await db.recursiveDelete(collection.doc("a"));
      expect((await collection.listDocuments()).map(({ id }) => id)).toEqual(["ab"]);
      expect((await collection.doc("ab/x/1").get()).exists).toBe(true);
    },
  },
];

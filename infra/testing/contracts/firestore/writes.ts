import { FieldValue, Timestamp } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { type Check, refused } from "./check.ts";

export const writeChecks: readonly Check[] = [
  {
    name: "create fails if the document exists",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.create({ n: 1 });
      await refused(ref.create({ n: 2 }), status.ALREADY_EXISTS);
      expect((await ref.get()).data()).toEqual({ n: 1 });
    },
  },
  {
    name: "update fails if the document does not exist",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await refused(ref.update({ n: 1 }), status.NOT_FOUND);
      expect((await ref.get()).exists).toBe(false);
    },
  },
  {
    name: "delete with exists fails if the document does not exist",
    async run({ fresh }) {
      await refused(fresh().doc("x").delete({ exists: true }), status.NOT_FOUND);
    },
  },
  {
    name: "lastUpdateTime is a precondition for update and delete",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      const old = await ref.set({ n: 1 });
      const now = await ref.set({ n: 2 });
      await refused(ref.update({ n: 3 }, { lastUpdateTime: old.writeTime }), status.FAILED_PRECONDITION);
      await refused(ref.delete({ lastUpdateTime: old.writeTime }), status.FAILED_PRECONDITION);
      await refused(ref.parent.doc("none").update({ n: 1 }, { lastUpdateTime: old.writeTime }), status.FAILED_PRECONDITION);
      await ref.update({ n: 4 }, { lastUpdateTime: now.writeTime });
      expect((await ref.get()).data()).toEqual({ n: 4 });
    },
  },
  {
    name: "lastUpdateTime is that of before the batch: of a document, all writes from the first one on require the same, or none",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      const { writeTime: lastUpdateTime } = await ref.set({ n: 1 });
      const earlier = db.batch().set(ref, { n: 2 });
      await refused(earlier.update(ref, { n: 3 }, { lastUpdateTime }).commit(), status.INVALID_ARGUMENT);
      const none = db.batch().delete(ref, { lastUpdateTime });
      await refused(none.update(ref, { n: 3 }, { lastUpdateTime }).commit(), status.INVALID_ARGUMENT);
      const other = db.batch().update(ref, { n: 2 }, { lastUpdateTime });
      await refused(other.update(ref, { n: 3 }, { lastUpdateTime: new Timestamp(1, 0) }).commit(), status.INVALID_ARGUMENT);
      await db
        .batch()
        .update(ref, { n: 2 }, { lastUpdateTime })
        .update(ref, { m: 3 }, { lastUpdateTime })
        .set(ref, { o: 4 }, { merge: true })
        .commit();
      expect((await ref.get()).data()).toEqual({ n: 2, m: 3, o: 4 });
    },
  },
  {
    name: "a batch that changes a document and changes it back keeps the update time; one that deletes it and sets it again makes a new one",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      const first = await ref.set({ n: 1 });
      await db.batch().update(ref, { n: 2 }).update(ref, { n: 1 }).commit();
      expect((await ref.get()).updateTime?.isEqual(first.writeTime)).toBe(true);
      const results = await db.batch().set(ref, { n: 1 }).update(ref, { n: 2 }).commit();
      const changed = await ref.get();
      for (const { writeTime } of results) expect(changed.updateTime?.isEqual(writeTime)).toBe(true);
      await db.batch().delete(ref).set(ref, { n: 2 }).commit();
      const again = await ref.get();
      expect(again.createTime?.valueOf()).toBe(again.updateTime?.valueOf());
      expect((again.createTime?.valueOf() ?? "") > (changed.updateTime?.valueOf() ?? "")).toBe(true);
    },
  },
  {
    name: "a batch is written atomically, at one time",
    async run({ db, fresh }) {
      const collection = fresh();
      await collection.doc("gone").set({ n: 1 });
      const batch = db.batch();
      batch.set(collection.doc("a"), { n: 1 });
      batch.create(collection.doc("b"), { n: 2 });
      batch.delete(collection.doc("gone"));
      const results = await batch.commit();
      expect(new Set(results.slice(0, 2).map(({ writeTime }) => writeTime.valueOf())).size).toBe(1);
      expect((await collection.get()).docs.map((found) => [found.id, found.data().n])).toEqual([
        ["a", 1],
        ["b", 2],
      ]);
    },
  },
  {
    name: "a batch with one refused write writes nothing",
    async run({ db, fresh }) {
      const collection = fresh();
      const batch = db.batch();
      batch.set(collection.doc("a"), { n: 1 });
      batch.update(collection.doc("none"), { n: 2 });
      await refused(batch.commit(), status.NOT_FOUND);
      expect((await collection.get()).size).toBe(0);
    },
  },
  {
    name: "later writes of a batch see earlier ones",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      const batch = db.batch();
      batch.set(ref, { n: 1, kept: true });
      batch.update(ref, { n: FieldValue.increment(2) });
      batch.set(ref, { n: FieldValue.increment(3) }, { merge: true });
      await batch.commit();
      expect((await ref.get()).data()).toEqual({ n: 6, kept: true });
    },
  },
  {
    name: "500 writes fit one batch",
    async run({ db, fresh }) {
      const collection = fresh();
      const batch = db.batch();
      for (let n = 0; n < 500; n += 1) batch.set(collection.doc(), { n });
      await batch.commit();
      expect((await collection.count().get()).data().count).toBe(500);
    },
  },
  {
    name: "a server timestamp is the server's time in milliseconds",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      const { writeTime } = await ref.set({ at: FieldValue.serverTimestamp(), in: { side: FieldValue.serverTimestamp() } });
      const { at, in: inside } = (await ref.get()).data() ?? {};
      expect(at).toBeInstanceOf(Timestamp);
      expect(at.nanoseconds % 1_000_000).toBe(0);
      expect(Math.abs(at.toMillis() - writeTime.toMillis())).toBeLessThan(1_000);
      expect(inside).toEqual({ side: at });
    },
  },
  {
    name: "increments add integers and doubles, start from zero, and replace values that are not numbers",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ integer: 1, double: 0.5, text: "ten" });
      await ref.update({
        integer: FieldValue.increment(2),
        double: FieldValue.increment(1),
        text: FieldValue.increment(7),
        none: FieldValue.increment(-3),
        "in.side": FieldValue.increment(0.25),
      });
      expect((await ref.get()).data()).toEqual({ integer: 3, double: 1.5, text: 7, none: -3, in: { side: 0.25 } });
    },
  },
  {
    name: "an integer saturates at 64 bits",
    async run({ fresh, connect }) {
      const ref = connect({ useBigInt: true }).doc(fresh().doc("x").path);
      await ref.set({ up: 2n ** 63n - 2n, down: -(2n ** 63n) + 1n });
      await ref.update({ up: FieldValue.increment(5), down: FieldValue.increment(-5) });
      expect((await ref.get()).data()).toEqual({ up: 2n ** 63n - 1n, down: -(2n ** 63n) });
    },
  },
  {
    name: "the maximum and the minimum of numbers are the field's or the operand; of equal ones the field stays; that of NaN is NaN",
    async run({ fresh, connect }) {
      const ref = connect({ useBigInt: true }).doc(fresh().doc("x").path);
      await ref.set({ up: 1n, equal: 2n, zero: 0n, nan: Number.NaN, text: "ten", low: 1.5 });
      await ref.update({
        up: FieldValue.maximum(1.5),
        equal: FieldValue.maximum(2),
        zero: FieldValue.maximum(-0),
        nan: FieldValue.maximum(5),
        text: FieldValue.maximum(-7),
        low: FieldValue.minimum(1),
        "in.side": FieldValue.minimum(3),
      });
      expect((await ref.get()).data()).toEqual({ up: 1.5, equal: 2n, zero: 0n, nan: Number.NaN, text: -7n, low: 1n, in: { side: 3n } });
    },
  },
  {
    name: "times to the end of the calendar are told apart to the microsecond",
    async run({ fresh }) {
      const [one, other] = [new Timestamp(253_402_300_799, 999_998_000), new Timestamp(253_402_300_799, 999_999_000)];
      const ref = fresh().doc("x");
      await ref.set({ at: one, all: [one] });
      await ref.update({ at: other, all: FieldValue.arrayUnion(other) });
      expect((await ref.get()).data()).toEqual({ at: other, all: [one, other] });
      expect((await ref.parent.where("at", "==", one).get()).size).toBe(0);
    },
  },
  {
    name: "array unions add missing elements once; removals remove every copy; other values count as empty arrays",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ list: ["a", 1, "a", { k: 1 }, null], text: "no list" });
      await ref.update({ list: FieldValue.arrayUnion("b", 1, "b", { k: 1 }, { k: 2 }) });
      expect((await ref.get()).get("list")).toEqual(["a", 1, "a", { k: 1 }, null, "b", { k: 2 }]);
      await ref.update({
        list: FieldValue.arrayRemove("a", null, { k: 1 }),
        text: FieldValue.arrayUnion(1),
        none: FieldValue.arrayRemove(1),
      });
      expect((await ref.get()).data()).toEqual({ list: [1, "b", { k: 2 }], text: [1], none: [] });
    },
  },
  {
    name: "concurrent increments are all counted",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await Promise.all(Array.from({ length: 50 }, () => ref.set({ n: FieldValue.increment(1) }, { merge: true })));
      expect((await ref.get()).data()).toEqual({ n: 50 });
    },
  },
  {
    name: "a bulk writer writes each document independently and reports each result",
    async run({ db, fresh }) {
      const collection = fresh();
      await collection.doc("there").set({ n: 0 });
      const writer = db.bulkWriter();
      writer.onWriteError(() => false);
      const outcomes = Array.from({ length: 60 }, (_, n) => writer.set(collection.doc(String(n)), { n }));
      const refusal = refused(writer.create(collection.doc("there"), { n: 1 }), status.ALREADY_EXISTS);
      await writer.close();
      await refusal;
      await Promise.all(outcomes);
      expect((await collection.count().get()).data().count).toBe(61);
      expect((await collection.doc("there").get()).data()).toEqual({ n: 0 });
    },
  },
];

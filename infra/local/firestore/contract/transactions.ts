import { Timestamp, type Transaction } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { type Check, refused, signal } from "./check.ts";

/** So that the losers of a fight come back as often as it takes: engines differ in how they settle one. */
const PERSISTENT = { maxAttempts: 20 };

export const transactionChecks: readonly Check[] = [
  {
    name: "increments in concurrent transactions never lose an update",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ n: 0 });
      const increment = async (transaction: Transaction) => {
        const n: number = (await transaction.get(ref)).get("n");
        transaction.update(ref, { n: n + 1 });
      };
      await Promise.all(Array.from({ length: 8 }, () => db.runTransaction(increment, PERSISTENT)));
      expect((await ref.get()).data()).toEqual({ n: 8 });
    },
  },
  {
    name: "of several transactions that create what they found missing, one does",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      const claims = Array.from({ length: 6 }, (_, owner) =>
        db.runTransaction(async (transaction) => {
          if ((await transaction.get(ref)).exists) return "taken";
          transaction.create(ref, { owner });
          return "claimed";
        }, PERSISTENT),
      );
      expect((await Promise.all(claims)).filter((outcome) => outcome === "claimed")).toHaveLength(1);
    },
  },
  {
    name: "what a query counted in a transaction is still so when it commits",
    async run({ db, fresh }) {
      const seats = fresh();
      const take = (guest: number) =>
        db.runTransaction(async (transaction) => {
          const taken = await transaction.get(seats.where("free", "==", false));
          if (taken.size < 3) transaction.create(seats.doc(), { free: false, guest });
        }, PERSISTENT);
      await Promise.all(Array.from({ length: 6 }, (_, guest) => take(guest)));
      expect((await seats.get()).size).toBe(3);
    },
  },
  {
    name: "what an aggregation counted in a transaction is still so when it commits",
    async run({ db, fresh }) {
      const seats = fresh();
      const take = (guest: number) =>
        db.runTransaction(async (transaction) => {
          const taken = await transaction.get(seats.count());
          if (taken.data().count < 2) transaction.create(seats.doc(), { guest });
        }, PERSISTENT);
      await Promise.all(Array.from({ length: 4 }, (_, guest) => take(guest)));
      expect((await seats.get()).size).toBe(2);
    },
  },
  {
    name: "transactions that take two documents in opposite orders both get done",
    async run({ db, fresh }) {
      const [left, right] = [fresh().doc("left"), fresh().doc("right")];
      await Promise.all([left.set({ n: 10 }), right.set({ n: 10 })]);
      const bothRead = [signal(), signal()] as const;
      const move = (from: typeof left, to: typeof left, own: 0 | 1) =>
        db.runTransaction(async (transaction) => {
          const source: number = (await transaction.get(from)).get("n");
          bothRead[own].give();
          await bothRead[own === 0 ? 1 : 0].given;
          const target: number = (await transaction.get(to)).get("n");
          transaction.update(from, { n: source - 1 });
          transaction.update(to, { n: target + 1 });
        }, PERSISTENT);
      await Promise.all([move(left, right, 0), move(right, left, 1)]);
      expect([(await left.get()).get("n"), (await right.get()).get("n")]).toEqual([10, 10]);
    },
  },
  {
    name: "a plain write waits for a transaction that read the document, a plain read does not",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ n: 1 });
      const order: string[] = [];
      let write: Promise<void> | undefined;
      await db.runTransaction(async (transaction) => {
        await transaction.get(ref);
        write ??= ref.update({ n: 3 }).then(() => void order.push("plain write"));
        expect((await ref.get()).get("n")).toBe(1);
        transaction.update(ref, { n: 2 });
        order.push("commit");
      });
      await write;
      expect(order.at(-1)).toBe("plain write");
      expect((await ref.get()).data()).toEqual({ n: 3 });
    },
  },
  {
    name: "a transaction whose function fails writes nothing and lets go of what it read",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ n: 1 });
      const failing = db.runTransaction(async (transaction) => {
        await transaction.get(ref);
        transaction.update(ref, { n: 2 });
        throw new Error("changed my mind");
      });
      await expect(failing).rejects.toThrow("changed my mind");
      await ref.update({ m: 1 });
      expect((await ref.get()).data()).toEqual({ n: 1, m: 1 });
    },
  },
  {
    name: "a transaction writes all or nothing and hands a refused precondition on",
    async run({ db, fresh }) {
      const collection = fresh();
      const attempt = db.runTransaction(async (transaction) => {
        transaction.set(collection.doc("a"), { n: 1 });
        transaction.update(collection.doc("none"), { n: 1 });
      });
      await refused(attempt, status.NOT_FOUND);
      expect((await collection.get()).size).toBe(0);
    },
  },
  {
    name: "a transaction reads several documents and queries as of one state",
    async run({ db, fresh }) {
      const collection = fresh();
      await Promise.all([collection.doc("a").set({ n: 1 }), collection.doc("b").set({ n: 2 })]);
      const read = await db.runTransaction(async (transaction) => {
        const [a, none] = await transaction.getAll(collection.doc("a"), collection.doc("none"));
        const large = await transaction.get(collection.where("n", ">", 1));
        return [a?.get("n"), none?.exists, large.size];
      });
      expect(read).toEqual([1, false, 1]);
    },
  },
  {
    name: "a read-only transaction keeps seeing one state while others write, and holds nobody up",
    async run({ db, fresh }) {
      const collection = fresh();
      const [kept, changed] = [collection.doc("kept"), collection.doc("changed")];
      await Promise.all([kept.set({ n: 1 }), changed.set({ n: 1 })]);
      const seen = await db.runTransaction(
        async (transaction) => {
          const first = (await transaction.get(kept)).get("n");
          await Promise.all([kept.set({ n: 2 }), changed.delete(), collection.doc("new").set({ n: 1 })]);
          const again = (await transaction.get(kept)).get("n");
          const all = await transaction.get(collection.orderBy("n"));
          return [first, again, all.docs.map(({ id }) => id)];
        },
        { readOnly: true },
      );
      expect(seen).toEqual([1, 1, ["changed", "kept"]]);
      expect((await collection.get()).docs.map(({ id }) => id)).toEqual(["kept", "new"]);
    },
  },
  {
    name: "a read-only transaction reads the past at a given time, the future never",
    async run({ db, fresh }) {
      const ref = fresh().doc("x");
      const { writeTime } = await ref.set({ n: 1 });
      await ref.set({ n: 2 });
      await ref.delete();
      const at = (readTime: Timestamp) => db.runTransaction((transaction) => transaction.get(ref), { readOnly: true, readTime });
      expect((await at(writeTime)).data()).toEqual({ n: 1 });
      expect((await at(Timestamp.fromMillis(writeTime.toMillis() - 1))).exists).toBe(false);
    },
  },
];

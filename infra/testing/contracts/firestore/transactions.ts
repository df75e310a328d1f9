import { Timestamp, type Transaction } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { type Check, refused, signal } from "./check.ts";

/** Enough attempts for the losers of a conflict. Engines resolve conflicts differently. */
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
    name: "when several transactions create the same missing document, one succeeds",
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
    name: "the result of a query in a transaction still holds at the commit",
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
    name: "the result of an aggregation in a transaction still holds at the commit",
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
    name: "transactions that lock two documents in opposite orders both succeed",
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
    name: "a plain write waits for a transaction that read the document; a plain read does not",
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
    name: "a transaction whose function throws writes nothing and releases its locks",
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
    name: "a transaction is atomic and passes on a failed precondition",
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
    name: "a transaction reads several documents and queries from one snapshot",
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
    name: "a read-only transaction keeps its snapshot while others write, and blocks nobody",
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
    name: "a read-only transaction can read at a past time, but not in the future",
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

import type { Firestore, Transaction } from "@google-cloud/firestore";
import type { Config } from "../config.ts";
import { firestore } from "./firestore.ts";

/** Customers that were removed a short while ago: what was at work for one then may have left something since. */
export interface GoneCustomers {
  /** The uids of those that have been gone since a time, the longest gone first. */
  readonly since: (time: Date, limit: number) => Promise<readonly string[]>;
  /** Removes the snapshot of a customer's headcounts. Gives how many there were, none or one. */
  readonly removeSnapshot: (uid: string) => Promise<number>;
  /** Nothing of it is left: forgets that there was one. */
  readonly forget: (uid: string) => Promise<void>;
}

/** `goneCustomers/{uid}`: a uid and a time, for some hours. */
export function openGoneCustomers(config: Config): GoneCustomers {
  const db = firestore(config);
  return {
    since: async (time, limit) => {
      const { docs } = await db.collection(COLLECTION).where("goneAt", "<=", time).orderBy("goneAt").limit(limit).get();
      return docs.map(({ id }) => id);
    },
    removeSnapshot: async (uid) => {
      const snapshot = db.collection("snapshots").doc(uid);
      if (!(await snapshot.get()).exists) return 0;
      await snapshot.delete();
      return 1;
    },
    forget: async (uid) => {
      await db.collection(COLLECTION).doc(uid).delete();
    },
  };
}

const COLLECTION = "goneCustomers";

/** Notes within the transaction that removes a customer that it is gone. */
export function noteGone(db: Firestore, transaction: Transaction, uid: string, now: Date): void {
  transaction.set(db.collection(COLLECTION).doc(uid), { goneAt: now });
}

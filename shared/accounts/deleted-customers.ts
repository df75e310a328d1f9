import { FieldValue, type Firestore, type Transaction } from "@google-cloud/firestore";
import { firestore } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";

/** Customers that were removed a short while ago: what was at work for one then may have left something since. */
export interface DeletedCustomers {
  /** The uids of those that have been gone since a time, the longest gone first. */
  readonly since: (time: Date, limit: number) => Promise<readonly string[]>;
  /** Removes the snapshot of a customer's headcounts. Gives how many there were, none or one. */
  readonly removeSnapshot: (uid: string) => Promise<number>;
  /** Nothing is to be swept up any more: forgets it, unless its removal has not come to its end. Gives whether it is forgotten. */
  readonly markSwept: (uid: string) => Promise<boolean>;
  /** Whether the removal of a customer has begun and not come to its end. */
  readonly isUnfinished: (uid: string) => Promise<boolean>;
  /** Its removal has come to its end: forgets it, unless it is still to be swept up behind. */
  readonly finish: (uid: string) => Promise<void>;
}

/**
 * `goneCustomers/{uid}`: `goneAt` for some hours, until it was swept up behind; `unfinished` until whoever removes it has taken the last step.
 * The note is forgotten with the second of the two.
 */
export function openDeletedCustomers(config: Config): DeletedCustomers {
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
    markSwept: (uid) => clearField(db, uid, "goneAt", "unfinished"),
    isUnfinished: async (uid) => (await db.collection(COLLECTION).doc(uid).get()).get("unfinished") === true,
    finish: async (uid) => {
      await clearField(db, uid, "unfinished", "goneAt");
    },
  };
}

const COLLECTION = "goneCustomers";

/** Takes one field of a note away, and the note with it when the other field is not there either. Gives whether the note is gone. */
function clearField(db: Firestore, uid: string, field: string, other: string): Promise<boolean> {
  const ref = db.collection(COLLECTION).doc(uid);
  return db.runTransaction(async (transaction) => {
    const note = await transaction.get(ref);
    if (!note.exists) return true;
    const isLast = note.get(other) === undefined;
    if (isLast) transaction.delete(ref);
    else transaction.update(ref, { [field]: FieldValue.delete() });
    return isLast;
  });
}

/** Notes within the transaction that removes a customer that it is gone, and that there is more of it to remove. */
export function recordDeletion(db: Firestore, transaction: Transaction, uid: string, now: Date): void {
  transaction.set(db.collection(COLLECTION).doc(uid), { goneAt: now, unfinished: true });
}

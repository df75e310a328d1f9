import { FieldValue, type Firestore, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { Config } from "../runtime/config.ts";

const StoredDeletion = v.object({ goneAt: v.optional(StoredTime), unfinished: v.optional(v.literal(true)) });

type StoredDeletion = v.InferOutput<typeof StoredDeletion>;

/** Recently deleted customers. Work that was running for one may have written data since. */
export interface DeletedCustomers {
  /** Returns the uids of customers deleted at `time` or before, the longest deleted first. */
  readonly since: (time: Date, limit: number) => Promise<readonly string[]>;
  /** Marks a customer as swept and drops its record, unless its deletion is unfinished. Returns whether the record is gone. */
  readonly markSwept: (uid: string) => Promise<boolean>;
  /** Returns whether the deletion of a customer has begun and is not finished. */
  readonly isUnfinished: (uid: string) => Promise<boolean>;
  /** Marks a deletion as finished and drops its record, unless the customer is still to be swept. */
  readonly finish: (uid: string) => Promise<void>;
}

/**
 * Opens the records in `goneCustomers/{uid}`. `goneAt` stays for some hours, until the customer is swept; `unfinished` stays until the last
 * step of the deletion. The record is deleted with the second of the two fields.
 */
export function openDeletedCustomers(config: Config): DeletedCustomers {
  const db = firestore(config);
  return {
    since: async (time, limit) => {
      const { docs } = await db.collection(COLLECTION).where("goneAt", "<=", time).orderBy("goneAt").limit(limit).get();
      return docs.map(({ id }) => id);
    },
    markSwept: (uid) => clearField(db, uid, "goneAt", "unfinished"),
    isUnfinished: async (uid) => {
      const record = await readDocument(refOf(db, uid));
      return record !== undefined && v.parse(StoredDeletion, record).unfinished === true;
    },
    finish: async (uid) => {
      await clearField(db, uid, "unfinished", "goneAt");
    },
  };
}

const COLLECTION = "goneCustomers";

/** Deletes one field of a record, and the record when the other field is absent too. Returns whether the record is gone. */
function clearField(db: Firestore, uid: string, field: keyof StoredDeletion, other: keyof StoredDeletion): Promise<boolean> {
  const ref = refOf(db, uid);
  return db.runTransaction(async (transaction) => {
    const record = await transaction.get(ref);
    if (!record.exists) return true;
    const isLast = v.parse(StoredDeletion, record.data())[other] === undefined;
    if (isLast) transaction.delete(ref);
    else transaction.update(ref, { [field]: FieldValue.delete() });
    return isLast;
  });
}

/** Records the deletion of a customer, within the transaction that deletes it, as unfinished and to be swept. */
export function recordDeletion(db: Firestore, transaction: Transaction, uid: string, now: Date): void {
  transaction.set(refOf(db, uid), { goneAt: now, unfinished: true });
}

function refOf(db: Firestore, uid: string) {
  return db.collection(COLLECTION).doc(uid);
}

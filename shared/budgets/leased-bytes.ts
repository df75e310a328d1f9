import { FieldValue } from "@google-cloud/firestore";
import * as v from "valibot";
import { usageFirestore } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { Config } from "../runtime/config.ts";
import { utcDate } from "../runtime/time.ts";

/** How long the document of a day is kept, in milliseconds. Firestore removes it some time later. */
const KEPT_MS = 3 * 86_400_000;

/** `customers/{uid}/leasedBytes/{date}` in the database `usage`. */
const StoredDay = v.object({ bytes: v.number() });

/**
 * The bytes that instances of functions have leased for the interactive queries of a customer, by UTC day. No call is a transaction, so that
 * the requests of a customer never wait for one document.
 */
export interface LeasedBytes {
  /** Returns the bytes leased on the UTC day of an instant. */
  readonly on: (uid: string, instant: Date) => Promise<number>;
  /** Adds bytes to those of the UTC day of an instant. A negative number gives some back. */
  readonly add: (uid: string, instant: Date, bytes: number) => Promise<void>;
}

export function openLeasedBytes(config: Config): LeasedBytes {
  const db = usageFirestore(config);
  const days = (uid: string) => db.collection("customers").doc(uid).collection("leasedBytes");
  return {
    on: async (uid, instant) => {
      const data = await readDocument(days(uid).doc(utcDate(instant)));
      return data === undefined ? 0 : Math.max(0, v.parse(StoredDay, data).bytes);
    },
    add: async (uid, instant, bytes) => {
      const expireAt = new Date(instant.getTime() + KEPT_MS);
      const day = days(uid).doc(utcDate(instant));
      await day.set({ bytes: FieldValue.increment(bytes), expireAt }, { merge: true });
    },
  };
}

import { FieldValue, type Firestore, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Config } from "../config.ts";
import { type Headcount, RESULTS } from "../realtime/headcount.ts";
import { firestore, StoredTime } from "./firestore.ts";

const StoredSnapshot = v.object({
  tick: v.optional(StoredTime),
  rows: v.optional(
    v.array(
      v.object({
        targetId: v.string(),
        targetName: v.string(),
        timestamp: StoredTime,
        peopleCount: v.number(),
        result: v.picklist(RESULTS),
      }),
    ),
    [],
  ),
  /** Maps that are not monitored any more: their rows are gone at once, also from a refresh that is under way. */
  hidden: v.optional(v.array(v.string()), []),
});

export interface SnapshotStore {
  /** The latest rows of a customer's monitored maps. */
  readonly read: (uid: string) => Promise<readonly Headcount[]>;
  /** Replaces a customer's rows by those of a tick; those of the same or a newer tick stay. */
  readonly write: (uid: string, tick: Date, rows: readonly Headcount[]) => Promise<void>;
}

/** `snapshots/{uid}`: one document a customer, of at most a thousand rows, so that reading it is one read. */
export function openSnapshots(config: Config): SnapshotStore {
  const db = firestore(config);
  const refOf = (uid: string) => snapshotRef(db, uid);
  return {
    read: async (uid) => {
      const { rows, hidden } = v.parse(StoredSnapshot, (await refOf(uid).get()).data() ?? {});
      return rows.filter(({ targetId }) => !hidden.includes(targetId));
    },
    write: (uid, tick, rows) =>
      db.runTransaction(async (transaction) => {
        const known = v.parse(StoredSnapshot, (await transaction.get(refOf(uid))).data() ?? {});
        if (known.tick && known.tick >= tick) return;
        const hidden = known.hidden.filter((id) => rows.some(({ targetId }) => targetId === id));
        transaction.set(refOf(uid), { tick, rows: rows.filter(({ targetId }) => !hidden.includes(targetId)), hidden });
      }),
  };
}

/** Takes a map's row out of its customer's snapshot, within a transaction and without reading the document: many at once do not collide. */
export function hideRow(db: Firestore, transaction: Transaction, uid: string, mapId: string): void {
  transaction.set(snapshotRef(db, uid), { hidden: FieldValue.arrayUnion(mapId) }, { merge: true });
}

/** Lets a map's row be seen again. */
export function showRow(db: Firestore, transaction: Transaction, uid: string, mapId: string): void {
  transaction.set(snapshotRef(db, uid), { hidden: FieldValue.arrayRemove(mapId) }, { merge: true });
}

function snapshotRef(db: Firestore, uid: string) {
  return db.collection("snapshots").doc(uid);
}

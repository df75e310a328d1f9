import type { Firestore, Transaction } from "@google-cloud/firestore";
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
  /** By map: rows of ticks before this time are not shown. What is switched off or deleted is gone at once, also from a refresh under way. */
  hidden: v.optional(v.record(v.string(), StoredTime), {}),
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
      const { tick, rows, hidden } = v.parse(StoredSnapshot, (await refOf(uid).get()).data() ?? {});
      return tick ? rows.filter(({ targetId }) => isShown(hidden[targetId], tick)) : [];
    },
    write: (uid, tick, rows) =>
      db.runTransaction(async (transaction) => {
        const known = v.parse(StoredSnapshot, (await transaction.get(refOf(uid))).data() ?? {});
        if (known.tick && known.tick >= tick) return;
        const ids = new Set(rows.map(({ targetId }) => targetId));
        const hidden = Object.entries(known.hidden).filter(([id, until]) => ids.has(id) && !isShown(until, tick));
        transaction.set(refOf(uid), { tick, rows, hidden: Object.fromEntries(hidden) });
      }),
  };
}

function isShown(hiddenUntil: Date | undefined, tick: Date): boolean {
  return hiddenUntil === undefined || tick >= hiddenUntil;
}

/** The last time that Firestore can keep. */
const FOREVER = new Date("9999-12-31T23:59:59Z");

/** Takes a map's row out of its customer's snapshot, within a transaction and without reading the document: many at once do not collide. */
export function hideRow(db: Firestore, transaction: Transaction, uid: string, mapId: string): void {
  transaction.set(snapshotRef(db, uid), { hidden: { [mapId]: FOREVER } }, { merge: true });
}

/** Lets a map's row be seen again, from the next tick on: an older one may tell of what the map was before. */
export function showRow(db: Firestore, transaction: Transaction, uid: string, mapId: string, now: Date): void {
  transaction.set(snapshotRef(db, uid), { hidden: { [mapId]: now } }, { merge: true });
}

function snapshotRef(db: Firestore, uid: string) {
  return db.collection("snapshots").doc(uid);
}

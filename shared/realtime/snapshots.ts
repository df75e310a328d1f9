import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import { withoutPendingChange } from "../maps/map-outbox.ts";
import type { MapRows } from "../maps/maps.ts";
import type { Config } from "../runtime/config.ts";
import { describeError, type Log, processLog } from "../runtime/log.ts";
import { type Headcount, RESULTS } from "./headcount.ts";
import { hiddenUntilDelivered, replaceRows, type Snapshot, shownRows, TIMESTAMP_MAX } from "./snapshot.ts";

const Hidden = v.optional(v.record(v.string(), StoredTime), {});

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
  hidden: Hidden,
});

/** What may still be read of a document that is no snapshot: what was switched off stays out of sight. */
const Salvage = v.fallback(v.object({ hidden: Hidden }), { hidden: {} });

/** The maps that a customer may be allowed: as many rows fit a document (1 MiB) under names of any length, beside what is hidden. */
export const MAPS_MAX = 1000;

/** How many maps a write looks up whether their change is still owed: the others wait for the next tick. */
const LOOKUPS_MAX = 100;

export interface SnapshotStore {
  /** The latest rows of a customer's monitored maps. */
  readonly read: (uid: string) => Promise<readonly Headcount[]>;
  /**
   * Replaces a customer's rows by those of a tick; those of the same or a newer tick stay, and one that is gone gets none. What is there and is no
   * snapshot is replaced too, which is logged as an error: all of it can be made anew.
   */
  readonly write: (uid: string, tick: Date, rows: readonly Headcount[], now: Date) => Promise<void>;
}

/** `snapshots/{uid}`: one document a customer, of at most a thousand rows (MAPS_MAX), so that reading it is one read. */
export function openSnapshots(config: Config, log: Log = processLog): SnapshotStore {
  const db = firestore(config);
  const refOf = (uid: string) => snapshotRef(db, uid);
  return {
    read: async (uid) => shownRows(parse((await refOf(uid).get()).data())),
    write: (uid, tick, rows, now) =>
      db.runTransaction(async (transaction) => {
        const document = await transaction.get(refOf(uid));
        // Whoever has switched a map on has one; without one there may be no customer any more, of whom nothing is to be kept.
        if (!document.exists && !(await transaction.get(db.collection("customers").doc(uid))).exists) return;
        const known = parseOr(document.data(), (fault) =>
          log("ERROR", "A snapshot cannot be read; it is replaced", { uid, ...describeError(fault) }),
        );
        const delivered = await withoutPendingChange(db, transaction, hiddenUntilDelivered(known).slice(0, LOOKUPS_MAX));
        const next = replaceRows(known, tick, rows, { delivered, now });
        if (next) transaction.set(refOf(uid), next);
      }),
  };
}

function parse(data: unknown): Snapshot {
  const { tick, ...snapshot } = v.parse(StoredSnapshot, data ?? {});
  return { tick, ...snapshot };
}

/** A snapshot without rows, of no tick, in place of what cannot be read. */
function parseOr(data: unknown, tell: (fault: unknown) => void): Snapshot {
  try {
    return parse(data);
  } catch (fault) {
    tell(fault);
    return { tick: undefined, rows: [], ...v.parse(Salvage, data) };
  }
}

/** The rows of the customers' snapshots, hidden and shown without reading the document: many changes at once do not collide. */
export const snapshotRows: MapRows = {
  hide: (db, transaction, uid, mapId) => {
    transaction.set(snapshotRef(db, uid), { hidden: { [mapId]: TIMESTAMP_MAX } }, { merge: true });
  },
  // A tick that is older than the change may tell of what the map was before.
  show: (db, transaction, uid, mapId, now) => {
    transaction.set(snapshotRef(db, uid), { hidden: { [mapId]: now } }, { merge: true });
  },
};

function snapshotRef(db: Firestore, uid: string) {
  return db.collection("snapshots").doc(uid);
}

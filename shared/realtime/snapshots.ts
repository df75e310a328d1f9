import { FieldValue, type Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, firestoreReader, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import { withoutPendingChange } from "../maps/map-outbox.ts";
import { isMonitoredVersion, type MapRows, type ShownMap } from "../maps/maps.ts";
import type { Config } from "../runtime/config.ts";
import { describeError, type Log, processLog } from "../runtime/log.ts";
import { type Headcount, RESULTS } from "./headcount.ts";
import { hiddenUntilDelivered, type MeasuredAlone, replaceRows, type Snapshot, shownRows, TIMESTAMP_MAX } from "./snapshot.ts";

const Hidden = v.optional(v.record(v.string(), StoredTime), {});

const StoredHeadcount = v.object({
  targetId: v.string(),
  targetName: v.string(),
  timestamp: StoredTime,
  peopleCount: v.number(),
  result: v.picklist(RESULTS),
});
const Measured = v.optional(v.record(v.string(), v.object({ ...StoredHeadcount.entries, tick: StoredTime })), {});

/** By map id: the countries in which it has been measured, as its document has them. */
const MeasuredIn = v.optional(v.record(v.string(), v.array(v.string())), {});

const StoredSnapshot = v.object({
  tick: v.optional(StoredTime),
  rows: v.optional(v.array(StoredHeadcount), []),
  measured: Measured,
  hidden: Hidden,
  measuredIn: MeasuredIn,
});

/** The readable part of an invalid snapshot. It keeps `hidden`, so that switched-off maps stay hidden, and who sees the others. */
const Salvage = v.fallback(v.object({ hidden: Hidden, measuredIn: MeasuredIn }), { hidden: {}, measuredIn: {} });

/** The maximum for a customer's map limit. That many rows with names of any length fit a document (1 MiB), besides `hidden` and `measuredIn`. */
export const MAPS_MAX = 1000;
/** How many maps measured by themselves a snapshot has room for, besides the rows of a tick. Others wait for the next tick. */
const MEASURED_MAX = 200;

/** The maximum number of maps whose pending change a write looks up. Others wait for the next tick. */
const LOOKUPS_MAX = 100;

export interface SnapshotStore {
  /**
   * Replaces a customer's rows by those of a tick, unless it has rows of the same or a newer tick. Writes nothing for a deleted customer.
   * Also replaces an invalid snapshot and logs an error; its rows can be recomputed.
   */
  readonly write: (uid: string, tick: Date, rows: readonly Headcount[], now: Date) => Promise<void>;
  /**
   * Adds the row of a map that was measured by itself, if the map still has this version and is monitored, and if there is room. Reads no
   * more than the map in its transaction, so that concurrent changes of a customer's maps do not conflict.
   */
  readonly add: (uid: string, row: MeasuredAlone, version: number) => Promise<boolean>;
  /** Removes a customer's snapshot. Returns the number of snapshots removed, 0 or 1. */
  readonly remove: (uid: string) => Promise<number>;
}

/** A headcount, with the countries in which its map has been measured; undefined if that is not known. */
interface HeadcountOfCountries extends Headcount {
  readonly measuredIn: readonly string[] | undefined;
}

/** Returns the latest rows of a customer's monitored maps. */
export type ReadSnapshot = (uid: string) => Promise<readonly HeadcountOfCountries[]>;

/** Opens the snapshots to read them. */
export function openSnapshotReader(config: Config): ReadSnapshot {
  const snapshots = firestoreReader(config).collection("snapshots");
  return async (uid) => {
    const { measuredIn, ...snapshot } = parse(await readDocument(snapshots.doc(uid)));
    return shownRows(snapshot).map((row) => ({ ...row, measuredIn: measuredIn[row.targetId] }));
  };
}

/** Opens `snapshots/{uid}`: one document per customer with at most a thousand rows (MAPS_MAX), so that reading it costs one read. */
export function openSnapshots(config: Config, log: Log = processLog): SnapshotStore {
  const db = firestore(config);
  const refOf = (uid: string) => snapshotRef(db, uid);
  return {
    write: (uid, tick, rows, now) =>
      db.runTransaction(async (transaction) => {
        const document = await transaction.get(refOf(uid));
        // Switching on a map creates the document. Without one the customer may be deleted, and then nothing may be stored.
        if (!document.exists && !(await transaction.get(db.collection("customers").doc(uid))).exists) return;
        const { measuredIn, ...known } = parseOrSalvage(document.data(), (error) =>
          log("ERROR", "A snapshot cannot be read; it is replaced", { uid, ...describeError(error) }),
        );
        const delivered = await withoutPendingChange(db, transaction, hiddenUntilDelivered(known).slice(0, LOOKUPS_MAX));
        const next = replaceRows(known, tick, rows, { delivered, now });
        if (next) transaction.set(refOf(uid), { ...next, measuredIn });
      }),
    add: async (uid, row, version) => {
      const [document] = await db.getAll(refOf(uid), { fieldMask: ["measured"] });
      if (Object.keys(Object(document?.get("measured"))).length >= MEASURED_MAX) return false;
      return db.runTransaction(async (transaction) => {
        const isCurrent = await isMonitoredVersion(db, transaction, { uid, mapId: row.targetId, version });
        if (isCurrent) transaction.set(refOf(uid), { measured: { [row.targetId]: row } }, { merge: true });
        return isCurrent;
      });
    },
    remove: async (uid) => {
      if (!(await refOf(uid).get()).exists) return 0;
      await refOf(uid).delete();
      return 1;
    },
  };
}

type StoredSnapshot = Snapshot & Pick<v.InferOutput<typeof StoredSnapshot>, "measuredIn">;

function parse(data: unknown): StoredSnapshot {
  const { tick, ...snapshot } = v.parse(StoredSnapshot, data ?? {});
  return { tick, ...snapshot };
}

/** Parses a snapshot. For an invalid one it calls `onError` and returns a snapshot without tick and rows. */
function parseOrSalvage(data: unknown, onError: (error: unknown) => void): StoredSnapshot {
  try {
    return parse(data);
  } catch (error) {
    onError(error);
    return { tick: undefined, rows: [], measured: {}, ...v.parse(Salvage, data) };
  }
}

/** Hides and shows rows of customers' snapshots without reading the document, so that concurrent changes do not conflict. */
export const snapshotRows: MapRows = {
  hide: (db, transaction, uid, mapId) => {
    const forgotten = { measuredIn: { [mapId]: FieldValue.delete() } };
    transaction.set(snapshotRef(db, uid), { hidden: { [mapId]: TIMESTAMP_MAX }, ...forgotten }, { merge: true });
  },
  // A tick before the change may show the map's earlier version.
  show: (db, transaction, map, now) => {
    transaction.set(snapshotRef(db, map.uid), { hidden: { [map.id]: now }, ...countriesOf(map) }, { merge: true });
  },
  noteCountries: (db, transaction, map) => {
    transaction.set(snapshotRef(db, map.uid), countriesOf(map), { merge: true });
  },
};

function countriesOf({ id, measuredIn }: ShownMap) {
  return measuredIn ? { measuredIn: { [id]: measuredIn } } : {};
}

function snapshotRef(db: Firestore, uid: string) {
  return db.collection("snapshots").doc(uid);
}

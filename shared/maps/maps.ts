import { isDeepStrictEqual } from "node:util";
import { FieldPath, type Firestore, Timestamp, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { Customer } from "../accounts/customers.ts";
import { createOnce, firestore, StoredTime } from "../google/firestore.ts";
import type { ListCursor } from "../http/list-cursor.ts";
import type { Config } from "../runtime/config.ts";
import { enqueueMapChange } from "./map-outbox.ts";
import { monitoringEffect } from "./monitoring-effect.ts";
import { MAP_TYPES } from "./schemas.ts";

const StoredMap = v.object({
  uid: v.string(),
  owner: v.string(),
  name: v.string(),
  description: v.string(),
  type: v.picklist(MAP_TYPES),
  geometry: v.nullable(v.string()),
  ids: v.nullable(v.array(v.number())),
  countryCode: v.nullable(v.string()),
  isMonitored: v.boolean(),
  version: v.number(),
  createdAt: StoredTime,
});

/** A customer's map. `version` rises with every change and is the map's ETag. The id is the document's name. */
export type CustomerMap = v.InferOutput<typeof StoredMap> & { readonly id: string };

const Usage = v.object({ mapCount: v.optional(v.number(), 0), geometryBytes: v.optional(v.number(), 0), limits: Customer.entries.limits });

/** What a change would exceed. */
export interface MapLimit {
  readonly limit: "maps" | "geometryBytes";
  readonly most: number;
}

/** A change that is refused by whoever decides it: kept apart from a map that is not there. */
export type MapEdit = (map: CustomerMap) => Pick<CustomerMap, "name" | "description" | "type" | "geometry" | "ids" | "countryCode">;

export interface MapStore {
  readonly create: (map: Omit<CustomerMap, "id">) => Promise<CustomerMap | MapLimit>;
  readonly get: (id: string) => Promise<CustomerMap | undefined>;
  /** A customer's maps, oldest first; all of them without a limit. */
  readonly list: (uid: string, page?: { readonly limit: number; readonly after?: ListCursor }) => Promise<CustomerMap[]>;
  readonly monitoredIds: (uid: string) => Promise<string[]>;
  /** Changes a map of the customer's. Undefined when the customer has none of that id. `change` may throw to refuse. */
  readonly update: (uid: string, id: string, change: MapEdit, now: Date) => Promise<CustomerMap | MapLimit | undefined>;
  /** Removes a map of the customer's and gives it; undefined when there is none. */
  readonly remove: (uid: string, id: string, now: Date) => Promise<CustomerMap | undefined>;
  /** Switches the monitoring of a customer's map. `changed` is false when it was so already; undefined when the customer has no such map. */
  readonly setMonitored: (
    uid: string,
    id: string,
    isMonitored: boolean,
    now: Date,
  ) => Promise<{ readonly map: CustomerMap; readonly changed: boolean } | undefined>;
}

/** What customers see of their monitored maps. Both write within the transaction that changes a map, and read nothing. */
export interface MapRows {
  /** Takes a map's row out of sight. */
  readonly hide: (db: Firestore, transaction: Transaction, uid: string, mapId: string) => void;
  /** Lets a map's row be seen again, from the next tick after `now` on. */
  readonly show: (db: Firestore, transaction: Transaction, uid: string, mapId: string, now: Date) => void;
}

/** The maps in Firestore: `maps/{id}`, with the counts in `customers/{uid}`. Their rows are hidden and shown with each change. */
export function openMaps(config: Config, rows: MapRows): MapStore {
  const db = firestore(config);
  const maps = db.collection("maps");
  return {
    create: (map) => {
      const ref = maps.doc();
      const made = (result: CustomerMap | MapLimit) => ("id" in result ? ref : undefined);
      return createOnce(db, made, async (transaction) => {
        const over = await account(db, transaction, map.uid, 1, bytesOf(map));
        if (over) return over;
        transaction.create(ref, map);
        return { ...map, id: ref.id };
      });
    },
    get: async (id) => parse(id, (await maps.doc(id).get()).data()),
    list: async (uid, page) => {
      const ordered = maps.where("uid", "==", uid).orderBy("createdAt").orderBy(FieldPath.documentId());
      const after = page?.after ? ordered.startAfter(Timestamp.fromDate(page.after.createdAt), page.after.id) : ordered;
      const { docs } = await (page ? after.limit(page.limit) : after).get();
      return docs.flatMap((document) => parse(document.id, document.data()) ?? []);
    },
    monitoredIds: async (uid) => {
      const { docs } = await maps.where("uid", "==", uid).where("isMonitored", "==", true).select().get();
      return docs.map(({ id }) => id);
    },
    update: (uid, id, change, now) => {
      let written: CustomerMap | undefined;
      return db.runTransaction(async (transaction) => {
        const map = parse(id, (await transaction.get(maps.doc(id))).data());
        if (!map || map.uid !== uid) return undefined;
        // The client repeats a transaction whose answer was lost: the first has done all of it.
        if (isDeepStrictEqual(map, written)) return map;
        const changed = { ...map, ...change(map), version: map.version + 1 };
        const over = await account(db, transaction, uid, 0, bytesOf(changed) - bytesOf(map));
        if (over) return over;
        const { id: _id, uid: _uid, owner: _owner, createdAt: _createdAt, ...changing } = changed;
        transaction.update(maps.doc(id), changing);
        note({ db, transaction, rows }, map, changed, now);
        written = changed;
        return changed;
      });
    },
    remove: (uid, id, now) => {
      let removed: CustomerMap | undefined;
      return db.runTransaction(async (transaction) => {
        const map = parse(id, (await transaction.get(maps.doc(id))).data());
        // Gone between two runs of this very call: by the first, whose answer was lost.
        if (!map) return removed;
        if (map.uid !== uid) return undefined;
        await account(db, transaction, uid, -1, -bytesOf(map));
        transaction.delete(maps.doc(id));
        note({ db, transaction, rows }, map, undefined, now);
        removed = map;
        return map;
      });
    },
    setMonitored: (uid, id, isMonitored, now) =>
      db.runTransaction(async (transaction) => {
        const map = parse(id, (await transaction.get(maps.doc(id))).data());
        if (!map || map.uid !== uid) return undefined;
        if (map.isMonitored === isMonitored) return { map, changed: false };
        const changed = { ...map, isMonitored, version: map.version + 1 };
        transaction.update(maps.doc(id), { isMonitored, version: changed.version });
        note({ db, transaction, rows }, map, changed, now);
        return { map: changed, changed: true };
      }),
  };
}

interface Noting {
  readonly db: Firestore;
  readonly transaction: Transaction;
  readonly rows: MapRows;
}

/** Notes what a change of a map means for what is measured and shown. */
function note({ db, transaction, rows }: Noting, before: CustomerMap, after: CustomerMap | undefined, now: Date): void {
  const { id, uid } = before;
  const { versionToDeliver, row } = monitoringEffect(before, after);
  if (versionToDeliver !== undefined) enqueueMapChange(db, transaction, { id, uid, version: versionToDeliver }, now);
  if (row === "shown") rows.show(db, transaction, uid, id, now);
  if (row === "hidden") rows.hide(db, transaction, uid, id);
}

/** Keeps count of what a customer stores. Gives the limit that the change would exceed, and then writes nothing. */
async function account(db: Firestore, transaction: Transaction, uid: string, maps: number, bytes: number): Promise<MapLimit | undefined> {
  const ref = db.collection("customers").doc(uid);
  const usage = v.parse(Usage, (await transaction.get(ref)).data());
  const next = { mapCount: usage.mapCount + maps, geometryBytes: usage.geometryBytes + bytes };
  const { limits } = usage;
  if (maps > 0 && next.mapCount > limits.maps) return { limit: "maps", most: limits.maps };
  if (bytes > 0 && next.geometryBytes > limits.geometryBytes) return { limit: "geometryBytes", most: limits.geometryBytes };
  transaction.update(ref, next);
  return undefined;
}

/** An id counts as the eight bytes that Firestore keeps of it. */
function bytesOf({ geometry, ids }: Pick<CustomerMap, "geometry" | "ids">): number {
  return Buffer.byteLength(geometry ?? "") + 8 * (ids?.length ?? 0);
}

function parse(id: string, data: unknown): CustomerMap | undefined {
  return data === undefined ? undefined : { ...v.parse(StoredMap, data), id };
}

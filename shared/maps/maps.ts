import { isDeepStrictEqual } from "node:util";
import { FieldPath, type Firestore, Timestamp, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { type Actor, getAllAs } from "../accounts/held-key.ts";
import { createOnce, firestore, firestoreReader, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { ListCursor } from "../http/list-cursor.ts";
import type { Config } from "../runtime/config.ts";
import { createInTurn } from "../runtime/in-turn.ts";
import type { CountedShape } from "./cell-budget.ts";
import { enqueueMapChange } from "./map-outbox.ts";
import { countChange, type MapLimit, withCounts } from "./map-usage.ts";
import { isMonitoredAs, monitoringEffect } from "./monitoring-effect.ts";
import { MAP_TYPES } from "./schemas.ts";

/** `maps/{id}`. */
export const StoredMap = v.object({
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
  /** How many cells a monitored map has in its customer's budget. */
  monitoredCells: v.optional(v.number()),
  /** When its geometry was changed: at least the changes of the last hour, the oldest first. */
  geometryChanges: v.optional(v.array(StoredTime)),
  /** The countries in which it has been measured. Undefined for a map of before this was stored: in any of its customer's. */
  measuredIn: v.optional(v.pipe(v.array(v.string()), v.readonly())),
});

/** What of a map says where it is. */
const NO_SHAPE = { geometry: null, ids: null };
/** The fields of a map without its shape. */
const BRIEF = Object.keys(v.omit(StoredMap, ["geometry", "ids", "geometryChanges"]).entries);

/** A customer's map. `version` increases with every change and is the map's ETag. The id is the document's name. */
export type CustomerMap = v.InferOutput<typeof StoredMap> & { readonly id: string };

/** Returns a map's edited fields. Throws to reject the change, which differs from a missing map. */
export type MapEdit = (map: CustomerMap) => Pick<CustomerMap, "name" | "description" | "type" | "geometry" | "ids" | "countryCode">;

interface MapPage {
  readonly limit?: number;
  readonly after?: ListCursor;
  /** Whether to leave out geometries and ids, which may be megabytes: they are null. */
  readonly isBrief?: boolean;
}

/** A change of a customer's map: who asks for it, and when. */
interface MapRequest {
  readonly uid: string;
  readonly id: string;
  readonly actor: Actor;
  readonly now: Date;
}

interface UpdateRequest extends MapRequest {
  /** The changed shape with its cells. Left out, the shape of a monitored map cannot change: `conflict`. */
  readonly counted?: CountedShape | undefined;
}

interface RemoveRequest extends MapRequest {
  /** Throws to keep the map. */
  readonly check?: (map: CustomerMap) => void;
}

interface MonitoringRequest extends MapRequest {
  readonly isMonitored: boolean;
  /** The map's shape with its cells, to switch monitoring on. If the map has another shape: `conflict`. */
  readonly counted?: CountedShape | undefined;
}

/** Whatever changes a map checks the key of its actor in the same transaction, and throws if it was revoked or lost access. */
export interface MapStore {
  readonly create: (map: Omit<CustomerMap, "id">, actor: Actor) => Promise<CustomerMap | MapLimit>;
  readonly get: (id: string) => Promise<CustomerMap | undefined>;
  /** Returns a page of a customer's maps, oldest first. Without `limit` it returns all maps. */
  readonly list: (uid: string, page?: MapPage) => Promise<CustomerMap[]>;
  readonly monitoredIds: (uid: string) => Promise<string[]>;
  /** Changes a customer's map. Returns undefined if the customer has no such map. `change` can throw to reject the update. */
  readonly update: (request: UpdateRequest, change: MapEdit) => Promise<CustomerMap | MapLimit | undefined>;
  /** Deletes a customer's map and returns it, or undefined if the customer has no such map. */
  readonly remove: (request: RemoveRequest) => Promise<CustomerMap | undefined>;
  /**
   * Switches a map's monitoring on or off. `changed` is false if it had that state already. Returns undefined if the customer has no such
   * map.
   */
  readonly setMonitored: (
    request: MonitoringRequest,
  ) => Promise<{ readonly map: CustomerMap; readonly changed: boolean } | MapLimit | undefined>;
}

/**
 * Hides and shows the rows of customers' monitored maps. All methods write within the transaction that changes a map, and read nothing.
 */
export interface MapRows {
  /** Hides a map's row. */
  readonly hide: (db: Firestore, transaction: Transaction, uid: string, mapId: string) => void;
  /** Shows a map's row again, from `now` on: of a measurement of the map alone at that time, or of a later tick. */
  readonly show: (db: Firestore, transaction: Transaction, map: ShownMap, now: Date) => void;
  /** Notes in which countries a map has been measured, if its row is shown already. */
  readonly noteCountries: (db: Firestore, transaction: Transaction, map: ShownMap) => void;
}

/** What of a map decides who sees its row. */
export type ShownMap = Pick<CustomerMap, "id" | "uid" | "measuredIn">;

/** Reads maps. */
export type MapReader = Pick<MapStore, "get" | "list" | "monitoredIds">;

/** Opens the maps to read them. */
export function openMapReader(config: Config): MapReader {
  const maps = firestoreReader(config).collection("maps");
  return {
    get: async (id) => parse(id, await readDocument(maps.doc(id))),
    list: async (uid, { limit, after, isBrief = false } = {}) => {
      const ordered = maps.where("uid", "==", uid).orderBy("createdAt").orderBy(FieldPath.documentId());
      const following = after ? ordered.startAfter(Timestamp.fromDate(after.createdAt), after.id) : ordered;
      const page = limit === undefined ? following : following.limit(limit);
      const { docs } = await (isBrief ? page.select(...BRIEF) : page).get();
      return docs.flatMap((document) => parse(document.id, { ...(isBrief ? NO_SHAPE : {}), ...document.data() }) ?? []);
    },
    monitoredIds: async (uid) => {
      const { docs } = await maps.where("uid", "==", uid).where("isMonitored", "==", true).select().get();
      return docs.map(({ id }) => id);
    },
  };
}

/** How long a change waits for those before it, in milliseconds: less than its request may take. */
const TURN_MS_MAX = 9_000;

/** Opens the maps in Firestore: `maps/{id}`, with usage counts in `customers/{uid}`. Each change also hides or shows the map's row. */
export function openMaps(config: Config, rows: MapRows): MapStore {
  const db = firestore(config);
  const maps = db.collection("maps");
  const customerOf = (uid: string) => db.collection("customers").doc(uid);
  // All maps of a customer in turn: changes at once read and write the customer's counts.
  const inTurn = createInTurn(TURN_MS_MAX);
  const transact = <Result>(uid: string, change: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    inTurn(uid, () => db.runTransaction(change));
  return {
    create: (map, actor) => {
      const ref = maps.doc();
      const refOf = (result: CustomerMap | MapLimit) => ("id" in result ? ref : undefined);
      const create = async (transaction: Transaction): Promise<CustomerMap | MapLimit> => {
        const [customer] = await getAllAs(db, transaction, actor, customerOf(map.uid));
        const made = { ...map, id: ref.id };
        const over = countChange(transaction, customer, { before: undefined, after: made, actor, now: map.createdAt });
        if (over) return over;
        transaction.create(ref, map);
        return made;
      };
      return inTurn(map.uid, () => createOnce(db, refOf, create));
    },
    ...openMapReader(config),
    update: ({ uid, id, actor, now, counted }, change) => {
      let written: CustomerMap | undefined;
      return transact(uid, async (transaction) => {
        const [document, customer] = await getAllAs(db, transaction, actor, maps.doc(id), customerOf(uid));
        const map = parse(id, document?.data());
        if (!map || map.uid !== uid) return undefined;
        // The client retries a transaction whose response was lost. The first attempt has already written this.
        if (isDeepStrictEqual(map, written)) return map;
        const changed = withCounts(map, { ...map, ...change(map), version: map.version + 1 }, { counted, actor, now });
        if ("limit" in changed) return changed;
        const over = countChange(transaction, customer, { before: map, after: changed, counted, actor, now });
        if (over) return over;
        const { id: _id, uid: _uid, owner: _owner, createdAt: _createdAt, ...changing } = changed;
        transaction.update(maps.doc(id), changing);
        applyEffect({ db, transaction, rows }, map, changed, now);
        written = changed;
        return changed;
      });
    },
    remove: ({ uid, id, actor, now, check }) => {
      let removed: CustomerMap | undefined;
      return transact(uid, async (transaction) => {
        const [document, customer] = await getAllAs(db, transaction, actor, maps.doc(id), customerOf(uid));
        const map = parse(id, document?.data());
        // Set if an earlier attempt of this call deleted the map and its response was lost.
        if (!map) return removed;
        if (map.uid !== uid) return undefined;
        check?.(map);
        countChange(transaction, customer, { before: map, after: undefined, actor, now });
        transaction.delete(maps.doc(id));
        applyEffect({ db, transaction, rows }, map, undefined, now);
        removed = map;
        return map;
      });
    },
    setMonitored: ({ uid, id, isMonitored, actor, now, counted }) =>
      transact(uid, async (transaction) => {
        const [document, customer] = await getAllAs(db, transaction, actor, maps.doc(id), customerOf(uid));
        const map = parse(id, document?.data());
        if (!map || map.uid !== uid) return undefined;
        if (map.isMonitored === isMonitored) return { map, changed: false };
        const changed = withCounts(map, { ...map, isMonitored, version: map.version + 1 }, { counted, actor, now });
        if ("limit" in changed) return changed;
        const over = countChange(transaction, customer, { before: map, after: changed, counted, actor, now });
        if (over) return over;
        const { version, monitoredCells, measuredIn } = changed;
        transaction.update(maps.doc(id), { isMonitored, version, monitoredCells, measuredIn });
        applyEffect({ db, transaction, rows }, map, changed, now);
        return { map: changed, changed: true };
      }),
  };
}

/** Returns whether a customer's map is monitored and has this version, within a transaction. */
export async function isMonitoredVersion(
  db: Firestore,
  transaction: Transaction,
  { uid, mapId, version }: { readonly uid: string; readonly mapId: string; readonly version: number },
): Promise<boolean> {
  return isMonitoredAs(parse(mapId, (await transaction.get(db.collection("maps").doc(mapId))).data()), { uid, version });
}

interface EffectContext {
  readonly db: Firestore;
  readonly transaction: Transaction;
  readonly rows: MapRows;
}

/** Enqueues a change for the warehouse and hides or shows the map's row, if the change requires it. */
function applyEffect({ db, transaction, rows }: EffectContext, before: CustomerMap, after: CustomerMap | undefined, now: Date): void {
  const { id, uid } = before;
  const { versionToDeliver, row } = monitoringEffect(before, after);
  if (versionToDeliver !== undefined) enqueueMapChange(db, transaction, { id, uid, version: versionToDeliver }, now);
  if (after && row === "shown") rows.show(db, transaction, after, now);
  else if (after?.isMonitored && !isDeepStrictEqual(after.measuredIn, before.measuredIn)) rows.noteCountries(db, transaction, after);
  if (row === "hidden") rows.hide(db, transaction, uid, id);
}

function parse(id: string, data: unknown): CustomerMap | undefined {
  return data === undefined ? undefined : { ...v.parse(StoredMap, data), id };
}

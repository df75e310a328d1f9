import type { Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { Config } from "../runtime/config.ts";
import { isDeliveredBy } from "./monitoring-effect.ts";

const StoredChange = v.object({ uid: v.string(), version: v.number(), changedAt: StoredTime });

/** A change of monitoring that is not yet delivered to the warehouse. `mapId` is the document's name. */
export type PendingMapChange = v.InferOutput<typeof StoredChange> & { readonly mapId: string };

export interface MapChangeStore {
  readonly get: (mapId: string) => Promise<PendingMapChange | undefined>;
  /** Returns changes that have waited since `since` or longer, oldest first. */
  readonly waiting: (since: Date, limit: number) => Promise<PendingMapChange[]>;
  /** Moves a change to the end of the queue. */
  readonly postpone: (mapId: string, now: Date) => Promise<void>;
  /** Deletes the change after delivery of this version, unless a newer change has replaced it. */
  readonly markDelivered: (mapId: string, version: number) => Promise<void>;
}

/** Opens the outbox `mapChanges/{mapId}`. The transaction of a change also writes the outbox, so no accepted change is lost. */
export function openMapChanges(config: Config): MapChangeStore {
  const db = firestore(config);
  const changes = db.collection(COLLECTION);
  const parse = (mapId: string, data: unknown): PendingMapChange | undefined =>
    data === undefined ? undefined : { ...v.parse(StoredChange, data), mapId };
  return {
    get: async (mapId) => parse(mapId, await readDocument(changes.doc(mapId))),
    waiting: async (since, limit) => {
      const { docs } = await changes.where("changedAt", "<=", since).orderBy("changedAt").limit(limit).get();
      return docs.flatMap((document) => parse(document.id, document.data()) ?? []);
    },
    postpone: (mapId, now) =>
      db.runTransaction(async (transaction) => {
        const ref = changes.doc(mapId);
        if ((await transaction.get(ref)).exists) transaction.update(ref, { changedAt: now });
      }),
    markDelivered: (mapId, version) =>
      db.runTransaction(async (transaction) => {
        const ref = changes.doc(mapId);
        const change = parse(mapId, (await transaction.get(ref)).data());
        if (change && isDeliveredBy(change, version)) transaction.delete(ref);
      }),
  };
}

/** Returns those of the maps that have no pending change, within a transaction. */
export async function withoutPendingChange(db: Firestore, transaction: Transaction, mapIds: readonly string[]): Promise<Set<string>> {
  if (mapIds.length === 0) return new Set();
  const documents = await transaction.getAll(...mapIds.map((id) => db.collection(COLLECTION).doc(id)));
  return new Set(documents.filter(({ exists }) => !exists).map(({ id }) => id));
}

const COLLECTION = "mapChanges";

/** Enqueues a map's version for delivery to the warehouse, within a transaction. */
export function enqueueMapChange(
  db: Firestore,
  transaction: Transaction,
  { id, uid, version }: { readonly id: string; readonly uid: string; readonly version: number },
  now: Date,
): void {
  transaction.set(db.collection(COLLECTION).doc(id), { uid, version, changedAt: now });
}

import type { Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";
import { isDeliveredBy } from "./monitoring-effect.ts";

const StoredChange = v.object({ uid: v.string(), version: v.number(), changedAt: StoredTime });

/** A change of what is measured that the warehouse has not been told yet; `mapId` is the document's name. */
export type PendingMapChange = v.InferOutput<typeof StoredChange> & { readonly mapId: string };

export interface MapChangeStore {
  readonly get: (mapId: string) => Promise<PendingMapChange | undefined>;
  /** Changes that have waited since a time, the longest waiting first. */
  readonly waiting: (since: Date, limit: number) => Promise<PendingMapChange[]>;
  /** Puts a change behind the others. */
  readonly postpone: (mapId: string, now: Date) => Promise<void>;
  /** The warehouse knows this version now: forgets the change, unless a newer one came meanwhile. */
  readonly markDelivered: (mapId: string, version: number) => Promise<void>;
}

/** The outbox `mapChanges/{mapId}`, written in the transaction of the change itself: nothing that was accepted is forgotten. */
export function openMapChanges(config: Config): MapChangeStore {
  const db = firestore(config);
  const changes = db.collection(COLLECTION);
  const parse = (mapId: string, data: unknown): PendingMapChange | undefined =>
    data === undefined ? undefined : { ...v.parse(StoredChange, data), mapId };
  return {
    get: async (mapId) => parse(mapId, (await changes.doc(mapId).get()).data()),
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

/** Which of these maps have no change that is owed, within a transaction. */
export async function withoutPendingChange(db: Firestore, transaction: Transaction, mapIds: readonly string[]): Promise<Set<string>> {
  if (mapIds.length === 0) return new Set();
  const documents = await transaction.getAll(...mapIds.map((id) => db.collection(COLLECTION).doc(id)));
  return new Set(documents.filter(({ exists }) => !exists).map(({ id }) => id));
}

const COLLECTION = "mapChanges";

/** Notes within a transaction that the warehouse is to be told of a map's version. */
export function enqueueMapChange(
  db: Firestore,
  transaction: Transaction,
  { id, uid, version }: { readonly id: string; readonly uid: string; readonly version: number },
  now: Date,
): void {
  transaction.set(db.collection(COLLECTION).doc(id), { uid, version, changedAt: now });
}

import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import { coalesceReads } from "../runtime/coalesce-reads.ts";
import type { Config } from "../runtime/config.ts";
import { PROFILES, SCOPES } from "./key-grants.ts";

/** A key as it is stored, under its hash: all that a request needs to be authorised. */
export const ApiKey = v.object({
  uid: v.string(),
  keyLabel: v.string(),
  service: v.picklist(PROFILES),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.readonly()),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  machineAccountAdmin: v.boolean(),
  /** Whether its customer is suspended: kept in step with the customer's status, so that a request needs no second read. */
  suspended: v.optional(v.boolean()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

const StoredKey = v.object({ ...ApiKey.entries, lastUsedAt: v.optional(v.nullable(StoredTime)) });

/** A key as it is stored, with when it was last used, to five minutes. */
export type StoredKey = ApiKey & { readonly lastUsedAt?: Date | null | undefined };

/** Finds a living key by its hash. */
export type FindKey = (hash: string) => Promise<StoredKey | undefined>;

/** Notes that a key is in use; undefined when that was noted less than five minutes ago. */
export type RecordUse = (hash: string, key: StoredKey, now: Date) => Promise<void> | undefined;

/** How often the use of a key is noted: at most one write in so many milliseconds. */
const SAMPLE_MS = 5 * 60_000;

/** Finds keys by hash: one read of `apiKeys/{hash}`, never cached. Requests of one key that come at once share a read that begins after them. */
export function openKeyFinder(config: Config): FindKey {
  const keys = firestore(config).collection("apiKeys");
  return coalesceReads(async (hash) => {
    const snapshot = await keys.doc(hash).get();
    return snapshot.exists ? v.parse(StoredKey, snapshot.data()) : undefined;
  });
}

/**
 * Notes the use of keys on the key and on its machine account together. A key that was rotated meanwhile is not there: nothing is written. One
 * note of a key is under way at a time: a thousand requests at once would all write the same document.
 */
export function openUsageRecorder(config: Config): RecordUse {
  const db = firestore(config);
  const underWay = new Set<string>();
  return (hash, { uid, keyLabel, lastUsedAt }, now) => {
    if (underWay.has(hash) || (lastUsedAt && now.getTime() - lastUsedAt.getTime() < SAMPLE_MS)) return undefined;
    underWay.add(hash);
    const account = db.collection("customers").doc(uid).collection("machineAccounts").doc(keyLabel);
    const batch = db.batch();
    batch.update(db.collection("apiKeys").doc(hash), { lastUsedAt: now }).update(account, { lastUsedAt: now });
    return batch
      .commit()
      .then(() => undefined)
      .finally(() => underWay.delete(hash));
  };
}

import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import type { KeyUse, RecordedUse } from "../http/caller.ts";
import { coalesceReads } from "../runtime/coalesce-reads.ts";
import type { Config } from "../runtime/config.ts";
import { networkOf } from "../runtime/source-address.ts";
import { PROFILES, SCOPES } from "./key-grants.ts";
import { isKnown, KeyNetworks, seenFrom } from "./key-networks.ts";

/** A stored key, under its hash: all that is needed to authorise a request. */
export const ApiKey = v.object({
  uid: v.string(),
  keyLabel: v.string(),
  service: v.picklist(PROFILES),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.readonly()),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  machineAccountAdmin: v.boolean(),
  /** From when on the key is refused; null for a key without an end. */
  expiresAt: v.optional(v.nullable(StoredTime)),
  /** Whether its customer is suspended. Kept in sync with the customer's status, so that a request needs no second read. */
  suspended: v.optional(v.boolean()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

const StoredKey = v.object({ ...ApiKey.entries, lastUsedAt: v.optional(v.nullable(StoredTime)), ...KeyNetworks.entries });

/** A stored key with the time of its last use, accurate to five minutes, and the networks of its uses. */
export type StoredKey = ApiKey & { readonly lastUsedAt?: Date | null | undefined } & Partial<KeyNetworks>;

/** Finds a valid key by its hash. */
export type FindKey = (hash: string) => Promise<StoredKey | undefined>;

/** Records the use of a key. Undefined when a use was recorded less than five minutes ago, or ten seconds if the network is new. */
export type RecordUse = (hash: string, key: StoredKey, use: KeyUse) => RecordedUse | undefined;

/** The minimum interval between two records of a key's use, in milliseconds; for a use from a new network. */
const SAMPLE_MS = 5 * 60_000;
const NEW_NETWORK_MS = 10_000;

/** Finds keys by hash: one read of `apiKeys/{hash}`, never cached. Concurrent requests with one key share a read that begins after them. */
export function openKeyFinder(config: Config): FindKey {
  const keys = firestore(config).collection("apiKeys");
  return coalesceReads(async (hash) => {
    const snapshot = await keys.doc(hash).get();
    return snapshot.exists ? v.parse(StoredKey, snapshot.data()) : undefined;
  });
}

/**
 * Records the use of a key on the key and its machine account together. If the key was rotated meanwhile, nothing is written. Only one
 * record per key is in flight: otherwise a thousand concurrent requests would all write the same document.
 */
export function openUsageRecorder(config: Config): RecordUse {
  const db = firestore(config);
  const inFlight = new Set<string>();
  return (hash, key, { now, address, client }) => {
    const { uid, keyLabel, lastUsedAt, networks = [], newNetworkAt = null } = key;
    const network = address === undefined ? undefined : networkOf(address);
    const before = { networks, newNetworkAt };
    const interval = network === undefined || isKnown(before, network) ? SAMPLE_MS : NEW_NETWORK_MS;
    if (inFlight.has(hash) || (lastUsedAt && now.getTime() - lastUsedAt.getTime() < interval)) return undefined;
    inFlight.add(hash);
    const seen = network === undefined ? undefined : seenFrom(before, network, now);
    const account = db.collection("customers").doc(uid).collection("machineAccounts").doc(keyLabel);
    const batch = db.batch();
    batch
      .update(db.collection("apiKeys").doc(hash), { lastUsedAt: now, ...seen?.after })
      .update(account, { lastUsedAt: now, lastUsedFrom: { address: address ?? null, client } });
    const done = batch
      .commit()
      .then(() => undefined)
      .finally(() => inFlight.delete(hash));
    return { done, unusualNetwork: seen?.isUnusual ? network : undefined };
  };
}

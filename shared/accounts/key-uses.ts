import type { DocumentReference, Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { StoredTime, usageFirestore } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { KeyUse, RecordedUse } from "../http/caller.ts";
import { CLIENT_KINDS, type ClientKind } from "../runtime/client-kind.ts";
import type { Config } from "../runtime/config.ts";
import { keepRecent } from "../runtime/keep-recent.ts";
import { networkOf } from "../runtime/source-address.ts";
import { isKnown, KeyNetworks, seenFrom } from "./key-networks.ts";

/** The last use of a machine account's key. */
export interface LastUse {
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: { readonly address: string | null; readonly client: ClientKind } | null;
}

/** Which key of which machine account. `keyHash` tells the label's present key from those before it. */
interface KeyOfAccount {
  readonly uid: string;
  readonly keyLabel: string;
  readonly keyHash: string;
}

/**
 * Records the use of a key. Returns undefined when this process recorded a use less than five minutes ago, or ten seconds if the network is
 * new to it.
 */
export type RecordUse = (key: KeyOfAccount, use: KeyUse) => RecordedUse | undefined;

export interface KeyUses {
  /** Returns the last use of each key, in the order of the keys. */
  readonly of: (keys: readonly KeyOfAccount[]) => Promise<LastUse[]>;
  /** Deletes what is known of the uses of a label's key. */
  readonly forget: (uid: string, keyLabel: string) => Promise<void>;
}

/** `customers/{uid}/keyUses/{keyLabel}` in the database `usage`. */
const StoredUse = v.object({
  keyHash: v.string(),
  lastUsedAt: StoredTime,
  lastUsedFrom: v.object({ address: v.nullable(v.string()), client: v.picklist(CLIENT_KINDS) }),
  ...KeyNetworks.entries,
});
type StoredUse = v.InferOutput<typeof StoredUse>;

/** The minimum interval between two records of a key's use, in milliseconds; for a use from a new network. */
const SAMPLE_MS = 5 * 60_000;
const NEW_NETWORK_MS = 10_000;
/** How long a use stays stored, unless the key is used again: as long as its networks count. */
const KEPT_MS = 90 * 86_400_000;
/** How many keys a process remembers. The one that was recorded longest ago is forgotten first. */
const REMEMBERED_MAX = 10_000;
/** What is told of a key that was not used yet. */
export const NEVER_USED: LastUse = { lastUsedAt: null, lastUsedFrom: null };

/** Opens the uses of keys, to read and delete them. */
export function openKeyUses(config: Config): KeyUses {
  const db = usageFirestore(config);
  return {
    of: async (keys) => {
      if (keys.length === 0) return [];
      const found = await db.getAll(...keys.map((key) => refOf(db, key)));
      return keys.map(({ keyHash }, index) => lastUseOf(parsed(keyHash, found[index]?.data())));
    },
    forget: async (uid, keyLabel) => {
      await refOf(db, { uid, keyLabel }).delete();
    },
  };
}

/**
 * Records the uses of keys. What this process recorded is in its memory, so that a request usually costs nothing. Only one record per key is
 * in flight: otherwise a thousand concurrent requests would all write the same document.
 */
export function openUsageRecorder(config: Config): RecordUse {
  const db = usageFirestore(config);
  const recorded = new Map<string, { readonly at: number; readonly networks: KeyNetworks }>();
  const inFlight = new Set<string>();
  const remember = (keyHash: string, at: Date, networks: KeyNetworks): void =>
    keepRecent(recorded, keyHash, { at: at.getTime(), networks }, REMEMBERED_MAX);
  return (key, { now, address, client }) => {
    const { keyHash } = key;
    const network = address === undefined ? undefined : networkOf(address);
    const isRecent = (at: number, networks: KeyNetworks): boolean =>
      now.getTime() - at < (network === undefined || isKnown(networks, network) ? SAMPLE_MS : NEW_NETWORK_MS);
    const known = recorded.get(keyHash);
    if (inFlight.has(keyHash) || (known && isRecent(known.at, known.networks))) return undefined;
    inFlight.add(keyHash);
    const record = async (): Promise<string | undefined> => {
      const ref = refOf(db, key);
      const former = parsed(keyHash, await readDocument(ref));
      const before = former ?? { networks: [], newNetworkAt: null };
      // Another process was faster.
      if (former && isRecent(former.lastUsedAt.getTime(), former)) {
        remember(keyHash, former.lastUsedAt, former);
        return undefined;
      }
      const seen = network === undefined ? undefined : seenFrom(before, network, now);
      const { networks, newNetworkAt } = seen?.after ?? before;
      const use: StoredUse = { keyHash, lastUsedAt: now, lastUsedFrom: { address: address ?? null, client }, networks, newNetworkAt };
      await ref.set({ ...use, expireAt: new Date(now.getTime() + KEPT_MS) });
      remember(keyHash, now, { networks, newNetworkAt });
      return seen?.isUnusual ? network : undefined;
    };
    return { unusualNetwork: record().finally(() => inFlight.delete(keyHash)) };
  };
}

/** Parses a stored use; undefined if there is none, or only one of a key that the label had before. */
function parsed(keyHash: string, stored: unknown): StoredUse | undefined {
  if (stored === undefined) return undefined;
  const use = v.parse(StoredUse, stored);
  return use.keyHash === keyHash ? use : undefined;
}

function lastUseOf(use: StoredUse | undefined): LastUse {
  return use ? { lastUsedAt: use.lastUsedAt, lastUsedFrom: use.lastUsedFrom } : NEVER_USED;
}

function refOf(db: Firestore, { uid, keyLabel }: Pick<KeyOfAccount, "uid" | "keyLabel">): DocumentReference {
  return db.doc(`customers/${uid}/keyUses/${keyLabel}`);
}

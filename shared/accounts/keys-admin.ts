import type { DocumentReference, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore } from "../google/firestore.ts";
import type { HeldKey } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";
import { ApiKey } from "./api-keys.ts";
import { Customer } from "./customers.ts";
import { isExpired } from "./key-expiry.ts";
import type { Grants } from "./key-grants.ts";
import { type LastUse, NEVER_USED, openKeyUses } from "./key-uses.ts";
import { StoredAccount } from "./machine-accounts.ts";

/** What the operator, and within limits a customer's own admin, can read and change about a customer's keys, except creating them. */

/** A key's grants and the times of its creation and rotation. Never the key or its hash. */
export interface KeyDetails extends Grants {
  readonly keyLabel: string;
  readonly keyHint: string;
  readonly suspended: boolean;
  readonly createdAt: Date;
  readonly rotatedAt: Date;
  readonly expiresAt: Date | null;
}

/** Why a key is unchanged: the label has no key, or the key is the customer's last with machine-account admin access. */
export type KeyUnchanged = "absent" | "last-admin";

interface StoredKeyPair {
  readonly key: KeyDetails;
  readonly accountRef: DocumentReference;
  readonly keyRef: DocumentReference;
}

/** A customer's keys, as its own admin changes them. */
export interface KeyAdmin {
  readonly change: (asked: Asked, change: Parameters<typeof changeGrants>[2]) => ReturnType<typeof changeGrants>;
  readonly revoke: (asked: Asked) => ReturnType<typeof revokeKey>;
}

/** The label that a customer's admin chose, with the admin's own key. */
type Asked = Required<Omit<Chosen, "lastAdminMayGo">>;

/** Opens the keys for changes by their customer's admin, who can never remove the last admin access. */
export function openKeyAdmin(config: Config): KeyAdmin {
  const db = firestore(config);
  return {
    change: (asked, change) => changeGrants(db, { ...asked, lastAdminMayGo: false }, change),
    revoke: (asked) => revokeKey(db, { ...asked, lastAdminMayGo: false }),
  };
}

/** Returns the keys of a customer, by label. */
export async function listKeys(db: Firestore, uid: string): Promise<KeyDetails[]> {
  return (await listPairs(db, uid)).map(({ key }) => key);
}

/** Returns the keys of a customer, by label, with their last uses. */
export async function listUsedKeys(config: Config, uid: string): Promise<(KeyDetails & LastUse)[]> {
  const pairs = await listPairs(firestore(config), uid);
  const uses = await openKeyUses(config).of(pairs.map(({ key: { keyLabel }, keyRef }) => ({ uid, keyLabel, keyHash: keyRef.id })));
  return pairs.map(({ key }, index) => ({ ...key, ...(uses[index] ?? NEVER_USED) }));
}

function listPairs(db: Firestore, uid: string): Promise<StoredKeyPair[]> {
  return db.runTransaction((transaction) => keysOf(db, transaction, uid), { readOnly: true });
}

interface Chosen {
  readonly uid: string;
  readonly keyLabel: string;
  /** Whether the customer's last machine-account admin access may be removed: the operator confirmed it. */
  readonly lastAdminMayGo: boolean;
  readonly now: Date;
  /** The key of the customer's admin who asks, checked in the transaction that makes the change. Absent for an operator. */
  readonly asker?: HeldKey;
}

/**
 * Changes the grants of a key, on the key and its machine account in one transaction. Effective at the next request. `change` may throw to
 * refuse. Returns the grants before and after, and the key's hash.
 */
export async function changeGrants(
  db: Firestore,
  { uid, keyLabel, lastAdminMayGo, now, asker }: Chosen,
  change: (present: Grants, customer: Pick<Customer, "countries" | "allow">) => Grants,
): Promise<{ readonly before: KeyDetails; readonly after: KeyDetails; readonly keyHash: string } | KeyUnchanged> {
  return db.runTransaction(async (transaction) => {
    const customer = await transaction.get(db.collection("customers").doc(uid));
    const keys = await keysOf(db, transaction, uid);
    if (asker) assertAmong(keys, asker);
    const held = keys.find(({ key }) => key.keyLabel === keyLabel);
    if (!held) return "absent";
    const after = change(held.key, v.parse(v.pick(Customer, ["countries", "allow"]), customer.data()));
    if (!after.machineAccountAdmin && isLastAdmin(held, keys, now) && !lastAdminMayGo) return "last-admin";
    const { service, scopes, countries, machineAccountAdmin, expiresAt = null } = after;
    const grants = { service, scopes, countries, machineAccountAdmin, expiresAt };
    transaction.update(held.keyRef, grants);
    transaction.update(held.accountRef, { service, scopes, expiresAt });
    return { before: held.key, after: { ...held.key, ...grants }, keyHash: held.keyRef.id };
  });
}

/** Deletes a key and its machine account in one transaction. The key is invalid at the next request. Returns the deleted key's details. */
export async function revokeKey(db: Firestore, { uid, keyLabel, lastAdminMayGo, now, asker }: Chosen): Promise<KeyDetails | KeyUnchanged> {
  let revoked: KeyDetails | undefined;
  return db.runTransaction(async (transaction) => {
    const keys = await keysOf(db, transaction, uid);
    // The client retries a transaction whose response was lost. The first attempt may have deleted the key, and even the asker's own.
    if (revoked && !keys.some(({ key }) => key.keyLabel === keyLabel)) return revoked;
    if (asker) assertAmong(keys, asker);
    const held = keys.find(({ key }) => key.keyLabel === keyLabel);
    if (!held) return "absent";
    if (isLastAdmin(held, keys, now) && !lastAdminMayGo) return "last-admin";
    transaction.delete(held.keyRef);
    transaction.delete(held.accountRef);
    revoked = held.key;
    return held.key;
  });
}

/** Checks the asker's key against the customer's keys as this transaction read them. */
function assertAmong(keys: readonly StoredKeyPair[], asker: HeldKey): void {
  asker.assertHeld(keys.find(({ keyRef }) => keyRef.id === asker.id)?.key);
}

/** Returns whether a key is the only one with machine-account admin access. */
function isLastAdmin(held: StoredKeyPair, keys: readonly StoredKeyPair[], now: Date): boolean {
  return held.key.machineAccountAdmin && keys.every((other) => other === held || !isAdmin(other.key, now));
}

function isAdmin(key: KeyDetails, now: Date): boolean {
  return key.machineAccountAdmin && !isExpired(key, now);
}

async function keysOf(db: Firestore, transaction: Transaction, uid: string): Promise<StoredKeyPair[]> {
  const { docs } = await transaction.get(db.collection("customers").doc(uid).collection("machineAccounts"));
  const accounts = docs.map((document) => ({ document, stored: v.parse(StoredAccount, document.data()) }));
  if (accounts.length === 0) return [];
  const keys = await transaction.getAll(...accounts.map(({ stored }) => db.collection("apiKeys").doc(stored.keyHash)));
  return accounts.flatMap(({ document, stored: { keyHash: _hash, ...stored } }, index) => {
    const key = keys[index];
    if (!key) return [];
    const { service, scopes, countries, machineAccountAdmin, expiresAt = null, suspended = false } = v.parse(ApiKey, key.data());
    const grants = { service, scopes, countries, machineAccountAdmin, expiresAt };
    return [{ key: { ...stored, ...grants, keyLabel: document.id, suspended }, accountRef: document.ref, keyRef: key.ref }];
  });
}

import type { DocumentReference, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { ApiKey } from "./api-keys.ts";
import { Customer } from "./customers.ts";
import type { Grants } from "./key-grants.ts";
import { StoredAccount } from "./machine-accounts.ts";

/** What the operator can read and change about a customer's keys, except creating them. */

/** A key's grants and the times of its creation, rotation and last use. Never the key or its hash. */
export interface KeyDetails extends Grants {
  readonly keyLabel: string;
  readonly keyHint: string;
  readonly suspended: boolean;
  readonly createdAt: Date;
  readonly rotatedAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Why a key is unchanged: the label has no key, or the key is the customer's last with machine-account admin access. */
export type KeyUnchanged = "absent" | "last-admin";

interface StoredKeyPair {
  readonly key: KeyDetails;
  readonly accountRef: DocumentReference;
  readonly keyRef: DocumentReference;
}

/** Returns the keys of a customer, by label. */
export async function listKeys(db: Firestore, uid: string): Promise<KeyDetails[]> {
  return db.runTransaction(async (transaction) => (await keysOf(db, transaction, uid)).map(({ key }) => key), { readOnly: true });
}

interface Chosen {
  readonly uid: string;
  readonly keyLabel: string;
  /** Whether the customer's last machine-account admin access may be removed: the operator confirmed it. */
  readonly lastAdminMayGo: boolean;
}

/**
 * Changes the grants of a key, on the key and its machine account in one transaction. Effective at the next request. `change` may throw to
 * refuse. Returns the grants before and after.
 */
export async function changeGrants(
  db: Firestore,
  { uid, keyLabel, lastAdminMayGo }: Chosen,
  change: (present: Grants, customer: Pick<Customer, "countries">) => Grants,
): Promise<{ readonly before: Grants; readonly after: Grants } | KeyUnchanged> {
  return db.runTransaction(async (transaction) => {
    const customer = await transaction.get(db.collection("customers").doc(uid));
    const keys = await keysOf(db, transaction, uid);
    const held = keys.find(({ key }) => key.keyLabel === keyLabel);
    if (!held) return "absent";
    const after = change(held.key, v.parse(v.pick(Customer, ["countries"]), customer.data()));
    if (!after.machineAccountAdmin && isLastAdmin(held, keys) && !lastAdminMayGo) return "last-admin";
    const { service, scopes, countries, machineAccountAdmin } = after;
    transaction.update(held.keyRef, { service, scopes, countries, machineAccountAdmin });
    transaction.update(held.accountRef, { service, scopes });
    return { before: held.key, after };
  });
}

/** Deletes a key and its machine account in one transaction. The key is invalid at the next request. Returns the deleted key's details. */
export async function revokeKey(db: Firestore, { uid, keyLabel, lastAdminMayGo }: Chosen): Promise<KeyDetails | KeyUnchanged> {
  return db.runTransaction(async (transaction) => {
    const keys = await keysOf(db, transaction, uid);
    const held = keys.find(({ key }) => key.keyLabel === keyLabel);
    if (!held) return "absent";
    if (isLastAdmin(held, keys) && !lastAdminMayGo) return "last-admin";
    transaction.delete(held.keyRef);
    transaction.delete(held.accountRef);
    return held.key;
  });
}

/** Returns whether a key is the only one with machine-account admin access. */
function isLastAdmin(held: StoredKeyPair, keys: readonly StoredKeyPair[]): boolean {
  return held.key.machineAccountAdmin && keys.every((other) => other === held || !other.key.machineAccountAdmin);
}

async function keysOf(db: Firestore, transaction: Transaction, uid: string): Promise<StoredKeyPair[]> {
  const { docs } = await transaction.get(db.collection("customers").doc(uid).collection("machineAccounts"));
  const accounts = docs.map((document) => ({ document, stored: v.parse(StoredAccount, document.data()) }));
  if (accounts.length === 0) return [];
  const keys = await transaction.getAll(...accounts.map(({ stored }) => db.collection("apiKeys").doc(stored.keyHash)));
  return accounts.flatMap(({ document, stored: { keyHash: _hash, ...stored } }, index) => {
    const key = keys[index];
    if (!key) return [];
    const { service, scopes, countries, machineAccountAdmin, suspended = false } = v.parse(ApiKey, key.data());
    const grants = { service, scopes, countries, machineAccountAdmin };
    return [{ key: { ...stored, ...grants, keyLabel: document.id, suspended }, accountRef: document.ref, keyRef: key.ref }];
  });
}

import { randomBytes } from "node:crypto";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { type Customer, CustomerStatus, DEFAULT_ALLOW, DEFAULT_LIMITS } from "./customers.ts";
import { recordDeletion } from "./deleted-customers.ts";

/** Returns a new customer's id: a letter and eleven letters or digits, valid in the name of a service account and of a folder. */
export function newUid(): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(randomBytes(12), (byte, index) => alphabet[byte % (index === 0 ? 26 : 32)]).join("");
}

export type NewCustomer = Pick<Customer, "name" | "countries" | "defaultCountry"> &
  Partial<Pick<Customer, "limits" | "status" | "allow" | "personalDataset" | "accountsProject">>;

/** Creates `customers/{uid}` for a customer without jobs. Active by default. */
export async function createCustomer(db: Firestore, uid: string, customer: NewCustomer): Promise<void> {
  const usage = { running: 0, waiting: 0, monitoredCells: 0, personalDataset: null, personalDatasetRequestedAt: null } as const;
  const unless = { limits: DEFAULT_LIMITS, allow: DEFAULT_ALLOW, status: "active" } as const;
  await db
    .collection("customers")
    .doc(uid)
    .create({ ...usage, ...unless, ...customer } satisfies Customer);
}

const KeyOfAccount = v.object({ keyHash: v.string() });

const WithStatus = v.object({ status: CustomerStatus });

/**
 * Sets a customer's status on the customer and all its keys in one transaction, because a request reads only its key. Changes nothing unless
 * the present status is one of `from` (default: any). Returns the status it has then. Throws for a customer that does not exist.
 */
export async function setCustomerStatus(
  db: Firestore,
  uid: string,
  status: Customer["status"],
  from: readonly Customer["status"][] = CustomerStatus.options,
): Promise<Customer["status"]> {
  const customer = db.collection("customers").doc(uid);
  return db.runTransaction(async (transaction) => {
    const [present, accounts] = await Promise.all([transaction.get(customer), transaction.get(customer.collection("machineAccounts"))]);
    if (!present.exists) throw new Error(`The customer ${uid} does not exist`);
    const { status: former } = v.parse(WithStatus, present.data());
    if (!from.includes(former)) return former;
    transaction.update(customer, { status });
    for (const account of accounts.docs) {
      const { keyHash: hash } = v.parse(KeyOfAccount, account.data());
      transaction.update(db.collection("apiKeys").doc(hash), { suspended: status === "suspended" });
    }
    return status;
  });
}

/**
 * Deletes all keys and machine accounts of a customer that is being deleted, in one transaction, and suspends it, so that a key created
 * meanwhile grants no access. Returns the number of keys. A customer that is already deleted may have left some.
 */
export async function revokeAllKeys(db: Firestore, uid: string): Promise<number> {
  const customer = db.collection("customers").doc(uid);
  return db.runTransaction(async (transaction) => {
    const [present, accounts, keys] = await Promise.all([
      transaction.get(customer),
      transaction.get(customer.collection("machineAccounts")),
      transaction.get(db.collection("apiKeys").where("uid", "==", uid)),
    ]);
    if (present.exists) transaction.update(customer, { status: "suspended" });
    for (const { ref } of [...keys.docs, ...accounts.docs]) transaction.delete(ref);
    return keys.size;
  });
}

/**
 * Deletes `customers/{uid}` once no key, map or job refers to it. Returns false while one does. None can appear later: whatever creates one
 * reads or updates the customer's document in the same transaction. Data elsewhere can, because a worker may be about to write it, so the
 * deletion is recorded for the sweeper.
 */
export async function removeCustomer(db: Firestore, uid: string, now: Date): Promise<boolean> {
  const customer = db.collection("customers").doc(uid);
  const owned = ["jobs", "maps", "apiKeys"].map((name) => db.collection(name).where("uid", "==", uid).limit(1));
  return db.runTransaction(async (transaction) => {
    const [accounts, ...others] = await Promise.all(
      [customer.collection("machineAccounts").limit(1), ...owned].map((query) => transaction.get(query)),
    );
    if (!accounts?.empty || others.some(({ empty }) => !empty)) return false;
    transaction.delete(customer);
    recordDeletion(db, transaction, uid, now);
    return true;
  });
}

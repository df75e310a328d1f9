import { randomBytes } from "node:crypto";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { keyHash, keyHint } from "../domain/api-key.ts";
import type { ApiKey } from "../schemas/api-key.ts";
import { Customer, DEFAULT_LIMITS } from "./customers.ts";

/** A new customer's id: a letter and eleven letters or digits, so that it can be part of a service account's name and of a folder. */
export function newUid(): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(randomBytes(12), (byte, index) => alphabet[byte % (index === 0 ? 26 : 32)]).join("");
}

export type NewCustomer = Pick<Customer, "name" | "countries" | "defaultCountry"> & Partial<Pick<Customer, "limits">>;

/** Creates `customers/{uid}` for a customer who has nothing in work. */
export async function createCustomer(db: Firestore, uid: string, customer: NewCustomer): Promise<void> {
  const empty = { limits: DEFAULT_LIMITS, running: 0, waiting: 0, personalDataset: null, status: "active" } as const;
  await db
    .collection("customers")
    .doc(uid)
    .create({ ...empty, ...customer } satisfies Customer);
}

const KeyOfAccount = v.object({ keyHash: v.string() });

/**
 * Suspends a customer, or gives it another status: the customer and all its keys in one transaction, since a request reads its key only.
 * Throws for a customer that is not there.
 */
export async function setCustomerStatus(db: Firestore, uid: string, status: Customer["status"]): Promise<void> {
  const customer = db.collection("customers").doc(uid);
  await db.runTransaction(async (transaction) => {
    const accounts = await transaction.get(customer.collection("machineAccounts"));
    transaction.update(customer, { status });
    for (const account of accounts.docs) {
      const { keyHash: hash } = v.parse(KeyOfAccount, account.data());
      transaction.update(db.collection("apiKeys").doc(hash), { suspended: status === "suspended" });
    }
  });
}

/**
 * Creates a machine account with a new key and returns the key: the only time that it exists outside its holder's hands. A key of a
 * suspended customer is suspended too.
 */
export async function createKey(db: Firestore, environment: string, key: ApiKey, now: Date): Promise<string> {
  const apiKey = randomBytes(32).toString("hex");
  const hash = keyHash(environment, apiKey);
  const customer = db.collection("customers").doc(key.uid);
  const { service, scopes } = key;
  const account = { service, scopes, keyHash: hash, keyHint: keyHint(apiKey), createdAt: now, rotatedAt: now, lastUsedAt: null };
  await db.runTransaction(async (transaction) => {
    const { status } = v.parse(v.pick(Customer, ["status"]), (await transaction.get(customer)).data());
    transaction
      .create(db.collection("apiKeys").doc(hash), { ...key, suspended: status === "suspended" })
      .create(customer.collection("machineAccounts").doc(key.keyLabel), account);
  });
  return apiKey;
}

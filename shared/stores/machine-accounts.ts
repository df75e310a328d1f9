import { randomBytes } from "node:crypto";
import type { Firestore } from "@google-cloud/firestore";
import { keyHash, keyHint } from "../domain/api-key.ts";
import type { ApiKey } from "../schemas/api-key.ts";
import { type Customer, DEFAULT_LIMITS } from "./customers.ts";

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

/** Creates a machine account with a new key and returns the key: the only time that it exists outside its holder's hands. */
export async function createKey(db: Firestore, environment: string, key: ApiKey, now: Date): Promise<string> {
  const apiKey = randomBytes(32).toString("hex");
  const hash = keyHash(environment, apiKey);
  const account = db.collection("customers").doc(key.uid).collection("machineAccounts").doc(key.keyLabel);
  const { service, scopes } = key;
  await db
    .batch()
    .create(db.collection("apiKeys").doc(hash), key)
    .create(account, { service, scopes, keyHash: hash, keyHint: keyHint(apiKey), createdAt: now, rotatedAt: now, lastUsedAt: null })
    .commit();
  return apiKey;
}

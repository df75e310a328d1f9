import { randomBytes } from "node:crypto";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
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

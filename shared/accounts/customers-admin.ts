import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { type FirestoreReader, firestoreReader } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import { unknownKey } from "../http/admit.ts";
import type { Config } from "../runtime/config.ts";
import { ApiKey } from "./api-keys.ts";
import { type Allow, Customer } from "./customers.ts";
import { StoredAccount } from "./machine-accounts.ts";

/** What the operator can read and change about customers, except their lifecycle and keys, and what a customer can read about itself. */

const WithUsage = v.object({ ...Customer.entries, mapCount: v.optional(v.number(), 0), geometryBytes: v.optional(v.number(), 0) });

/** A customer with the number and size of its maps. */
export type CustomerDetails = v.InferOutput<typeof WithUsage> & { readonly uid: string };

/** Returns a customer. Undefined when the uid does not exist. */
export async function findCustomer(db: FirestoreReader, uid: string): Promise<CustomerDetails | undefined> {
  const customer = await readDocument(db.collection("customers").doc(uid));
  return customer === undefined ? undefined : { ...v.parse(WithUsage, customer), uid };
}

/** Opens the customers for a function, which reads its caller's. Throws `unauthenticated` for one that was deleted since its key was found. */
export function openCustomerDetails(config: Config): (uid: string) => Promise<CustomerDetails> {
  const db = firestoreReader(config);
  return async (uid) => {
    const customer = await findCustomer(db, uid);
    if (!customer) throw unknownKey();
    return customer;
  };
}

/** Returns all customers, by uid. Operators create them by hand, so there are hundreds at most. */
export async function listCustomers(db: Firestore): Promise<CustomerDetails[]> {
  const { docs } = await db.collection("customers").get();
  return docs.map((document) => ({ ...v.parse(WithUsage, document.data()), uid: document.id }));
}

/** Changes some of a customer's limits and keeps the others. Throws for a customer that does not exist. */
export async function setLimits(db: Firestore, uid: string, limits: Partial<Customer["limits"]>): Promise<void> {
  const fields = Object.entries(limits).map(([name, value]) => [`limits.${name}`, value]);
  await db.collection("customers").doc(uid).update(Object.fromEntries(fields));
}

/** Sets what a customer's admins may grant to its keys. Throws for a customer that does not exist. */
export async function setAllow(db: Firestore, uid: string, allow: Allow): Promise<void> {
  await db.collection("customers").doc(uid).update({ allow });
}

/** Records that a customer wants its personal dataset, which is not there yet. Throws for a customer that does not exist. */
export async function requestPersonalDataset(db: Firestore, uid: string, now: Date): Promise<void> {
  await db.collection("customers").doc(uid).update({ personalDatasetRequestedAt: now });
}

/** Sets the name of a customer's personal dataset, which is ready. Throws for a customer that does not exist. */
export async function setPersonalDataset(db: Firestore, uid: string, personalDataset: string): Promise<void> {
  await db.collection("customers").doc(uid).update({ personalDataset });
}

type Countries = Pick<Customer, "countries" | "defaultCountry">;

/**
 * Changes a customer's countries and returns the new ones. In the same transaction, its keys lose the countries that the customer loses and
 * follow its default country. `change` may throw to refuse. Throws for a customer that does not exist.
 */
export async function setCountries(db: Firestore, uid: string, change: (present: Countries) => Countries): Promise<Countries> {
  const customerRef = db.collection("customers").doc(uid);
  return db.runTransaction(async (transaction) => {
    const accounts = await transaction.get(customerRef.collection("machineAccounts"));
    const refs = accounts.docs.map((account) => db.collection("apiKeys").doc(v.parse(StoredAccount, account.data()).keyHash));
    const [customer, ...keys] = await transaction.getAll(customerRef, ...refs);
    const before = v.parse(Customer, customer?.data());
    const { countries, defaultCountry } = change(before);
    transaction.update(customerRef, { countries, defaultCountry });
    for (const document of keys) {
      const key = v.parse(ApiKey, document.data());
      const follows = key.defaultCountry === before.defaultCountry || !countries.includes(key.defaultCountry);
      transaction.update(document.ref, {
        countries: key.countries.filter((country) => countries.includes(country)),
        defaultCountry: follows ? defaultCountry : key.defaultCountry,
      });
    }
    return { countries, defaultCountry };
  });
}

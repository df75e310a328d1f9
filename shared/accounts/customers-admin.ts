import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { ApiKey } from "./api-keys.ts";
import { Customer } from "./customers.ts";
import { StoredAccount } from "./machine-accounts.ts";

/** What the operator may read and change of customers, beside their life and their keys. */

const WithUsage = v.object({ ...Customer.entries, mapCount: v.optional(v.number(), 0), geometryBytes: v.optional(v.number(), 0) });

/** A customer with what its maps take up. */
export type CustomerDetails = v.InferOutput<typeof WithUsage> & { readonly uid: string };

/** A customer as it is now; undefined when there is none of that uid. */
export async function findCustomer(db: Firestore, uid: string): Promise<CustomerDetails | undefined> {
  const document = await db.collection("customers").doc(uid).get();
  return document.exists ? { ...v.parse(WithUsage, document.data()), uid } : undefined;
}

/** All customers, by uid. They are brought in by hand, so there are hundreds at most. */
export async function listCustomers(db: Firestore): Promise<CustomerDetails[]> {
  const { docs } = await db.collection("customers").get();
  return docs.map((document) => ({ ...v.parse(WithUsage, document.data()), uid: document.id }));
}

/** Changes some of a customer's limits; the others stay. Throws for a customer that is not there. */
export async function setLimits(db: Firestore, uid: string, limits: Partial<Customer["limits"]>): Promise<void> {
  const fields = Object.entries(limits).map(([name, value]) => [`limits.${name}`, value]);
  await db.collection("customers").doc(uid).update(Object.fromEntries(fields));
}

/** Notes the name of a customer's personal dataset. Throws for a customer that is not there. */
export async function setPersonalDataset(db: Firestore, uid: string, personalDataset: string): Promise<void> {
  await db.collection("customers").doc(uid).update({ personalDataset });
}

type Countries = Pick<Customer, "countries" | "defaultCountry">;

/**
 * Changes the countries of a customer, which bound those of its keys: in one transaction, no key keeps one that its customer lost, and keys
 * follow the default country. `change` may throw to refuse. Gives the countries as they are then. Throws for a customer that is not there.
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

import { join } from "node:path";
import * as v from "valibot";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import { readIfThere, writeDurably } from "./durable-file.ts";
import { storedJson } from "./persistence/stored-json.ts";

/** The file of a data folder with its sample customers. */
export const CUSTOMERS_FILE = "customers.json";

const PersistedCustomers = v.strictObject({
  /** False until all customers were created. After that, a missing one was deleted. */
  made: v.optional(v.boolean(), true),
  /** Whether the first customer's map and its history were made. After that, a missing map was deleted. */
  monitored: v.optional(v.boolean(), false),
  customers: v.array(
    v.strictObject({ uid: v.string(), name: v.string(), default_country: v.string(), keys: v.record(v.string(), v.string()) }),
  ),
});

type PersistedCustomers = v.InferOutput<typeof PersistedCustomers>;

/**
 * Returns the sample customers of a data folder, with their keys at creation; undefined if there are none yet. The file holds the plain API
 * keys, which Firestore does not, so only its owner can read it.
 */
export function persistedCustomers(dataDirectory: string): PersistedCustomers | undefined {
  const path = join(dataDirectory, CUSTOMERS_FILE);
  const text = readIfThere(path);
  return text === undefined ? undefined : storedJson(path, text, PersistedCustomers);
}

/** Stores the sample customers and their keys, before and after their creation: a killed start leaves no customer with unknown keys. */
export function persistCustomers(
  dataDirectory: string,
  persisted: { readonly made: boolean; readonly monitored: boolean; readonly customers: readonly LocalCustomer[] },
): void {
  writeDurably(join(dataDirectory, CUSTOMERS_FILE), `${JSON.stringify(persisted, undefined, 2)}\n`);
}

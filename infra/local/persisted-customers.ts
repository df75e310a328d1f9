import { join } from "node:path";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";
import type { LocalCustomer } from "./provision.ts";

const FILE = "customers.json";

const PersistedCustomers = v.strictObject({
  /** False until all of them were made once: from then on one that is not there was deleted. */
  made: v.optional(v.boolean(), true),
  customers: v.array(
    v.strictObject({ uid: v.string(), name: v.string(), default_country: v.string(), keys: v.record(v.string(), v.string()) }),
  ),
});

type PersistedCustomers = v.InferOutput<typeof PersistedCustomers>;

/**
 * The sample customers that a data folder was made with, with their keys as they were then; undefined when there are none yet. The file has
 * what Firestore does not: keys that open something. It is its owner's only.
 */
export function persistedCustomers(dataDirectory: string): PersistedCustomers | undefined {
  const text = readIfThere(join(dataDirectory, FILE));
  return text === undefined ? undefined : v.parse(PersistedCustomers, JSON.parse(text));
}

/** Keeps the sample customers and their keys: before they are made, so that a start that is killed leaves none that nobody knows, and after. */
export function persistCustomers(dataDirectory: string, { made, customers }: { made: boolean; customers: readonly LocalCustomer[] }): void {
  writeDurably(join(dataDirectory, FILE), `${JSON.stringify({ made, customers }, undefined, 2)}\n`);
}

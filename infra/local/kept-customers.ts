import { join } from "node:path";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";
import type { LocalCustomer } from "./provision.ts";

const FILE = "customers.json";

const Kept = v.strictObject({
  customers: v.array(
    v.strictObject({ uid: v.string(), name: v.string(), default_country: v.string(), keys: v.record(v.string(), v.string()) }),
  ),
});

/**
 * The sample customers that a data folder was made with, with their keys as they were then; undefined when there are none yet. The file has
 * what Firestore does not: keys that open something. It is its owner's only.
 */
export function keptCustomers(dataDirectory: string): readonly LocalCustomer[] | undefined {
  const text = readIfThere(join(dataDirectory, FILE));
  return text === undefined ? undefined : v.parse(Kept, JSON.parse(text)).customers;
}

/** Keeps the sample customers and their keys. */
export function keepCustomers(dataDirectory: string, customers: readonly LocalCustomer[]): void {
  writeDurably(join(dataDirectory, FILE), `${JSON.stringify({ customers }, undefined, 2)}\n`);
}

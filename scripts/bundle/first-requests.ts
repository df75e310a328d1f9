import type * as v from "valibot";
import type { ApiKey } from "../../shared/accounts/api-keys.ts";
import { type Customer, DEFAULT_LIMITS } from "../../shared/accounts/customers.ts";
import { requestOf } from "./sample-requests.ts";

/** The file of the image that `firstRequests` returns the content of. */
export const FIRST_REQUESTS_FILE = "first-requests.json";

const UID = "aaaaaaaaaaaa";
const COUNTRIES = { countries: ["EST"], defaultCountry: "EST" };
const KEY: v.InferInput<typeof ApiKey> = {
  ...{ uid: UID, keyLabel: "all", ...COUNTRIES },
  ...{ service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
};
const CUSTOMER: v.InferInput<typeof Customer> = {
  ...{ name: "First", ...COUNTRIES, limits: DEFAULT_LIMITS, running: 0, waiting: 0 },
  ...{ personalDataset: null, status: "active" },
};

/**
 * Returns, as JSON, what the build of the image asks each function once (scripts/image/fill-code-cache.cjs), and the documents that the function
 * finds meanwhile, by the collection that they are in. So the code cache also has what runs after a key is found.
 */
export function firstRequests(names: readonly string[]): string {
  const functions = names.map((name) => ({ name, ...requestOf(name, UID) }));
  return JSON.stringify({ functions, documents: { apiKeys: KEY, customers: CUSTOMER } }, undefined, 1);
}

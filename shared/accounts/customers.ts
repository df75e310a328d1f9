import * as v from "valibot";
import { firestore } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";

/** The limits of a customer unless the operator sets others. */
export const DEFAULT_LIMITS = {
  runningJobs: 5,
  unfinishedJobs: 200,
  exportsPerDay: 500,
  maps: 1000,
  geometryBytes: 16 * 1024 * 1024,
} as const;

/** `customers/{uid}`: how much of the service a customer uses and may use. `running` and `waiting` count its unfinished jobs. */
export const Customer = v.object({
  name: v.string(),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  /** Customers stored before a limit existed have its default. */
  limits: v.object({
    runningJobs: v.number(),
    unfinishedJobs: v.number(),
    exportsPerDay: v.optional(v.number(), DEFAULT_LIMITS.exportsPerDay),
    maps: v.optional(v.number(), DEFAULT_LIMITS.maps),
    geometryBytes: v.optional(v.number(), DEFAULT_LIMITS.geometryBytes),
  }),
  running: v.number(),
  waiting: v.number(),
  /** The number of exports submitted on the last UTC day that had any. */
  exportsToday: v.optional(v.object({ date: v.string(), count: v.number() })),
  personalDataset: v.nullable(v.string()),
  status: v.picklist(["provisioning", "active", "suspended"]),
});
export type Customer = v.InferOutput<typeof Customer>;

/** Finds the countries whose data a customer may access: none for a deleted customer. */
export function openCustomerCountries(config: Config): (uid: string) => Promise<readonly string[]> {
  const customers = firestore(config).collection("customers");
  return async (uid) => {
    const data = (await customers.doc(uid).get()).data();
    return data === undefined ? [] : v.parse(Customer, data).countries;
  };
}

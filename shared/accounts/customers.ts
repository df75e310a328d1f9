import * as v from "valibot";
import { firestoreReader, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { Config } from "../runtime/config.ts";
import { utcDate } from "../runtime/time.ts";
import { PROFILES, SCOPES } from "./key-grants.ts";

/** The limits of a customer unless the operator sets others. */
export const DEFAULT_LIMITS = {
  runningJobs: 5,
  unfinishedJobs: 200,
  exportsPerDay: 500,
  maps: 1000,
  geometryBytes: 16 * 1024 * 1024,
  monitoredCells: 500_000,
  bytesPerDay: 200_000_000_000,
} as const;

/**
 * The grants that a customer's admin may give to its keys without the operator: more scopes, the warehouse profile, and with that profile
 * the request for a personal dataset. The operator sets them.
 */
const Allow = v.object({
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.readonly()),
  profiles: v.pipe(v.array(v.picklist(PROFILES)), v.readonly()),
});
export type Allow = v.InferOutput<typeof Allow>;

/** What a customer's admin may grant unless the operator sets more. */
export const DEFAULT_ALLOW: Allow = { scopes: [], profiles: ["storage"] };

/** A customer that is `provisioning` has keys that mint no tokens yet. */
export const CustomerStatus = v.picklist(["provisioning", "active", "suspended"]);

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
    monitoredCells: v.optional(v.number(), DEFAULT_LIMITS.monitoredCells),
    bytesPerDay: v.optional(v.number(), DEFAULT_LIMITS.bytesPerDay),
  }),
  running: v.number(),
  waiting: v.number(),
  /** The number of exports submitted on the last UTC day that had any. */
  exportsToday: v.optional(v.object({ date: v.string(), count: v.number() })),
  /** The cells of its monitored maps, and those that changes had the warehouse store within an hour of the clock. */
  monitoredCells: v.optional(v.number(), 0),
  cellsWritten: v.optional(v.object({ hour: v.string(), count: v.number() })),
  /** The bytes of the customer's jobs on the last UTC day that had any: those billed, and those reserved for jobs that may still be billed. */
  bytesToday: v.optional(v.object({ date: v.string(), bytes: v.number() })),
  /** When the customer's admins created machine accounts: at least those of the last hour. */
  accountsCreatedAt: v.optional(v.array(StoredTime)),
  personalDataset: v.nullable(v.string()),
  /** When a personal dataset was first requested. Absent when it never was. */
  personalDatasetRequestedAt: v.optional(v.nullable(StoredTime), null),
  /** Customers stored before this existed have the default. */
  allow: v.optional(Allow, DEFAULT_ALLOW),
  /** The project of its service accounts, chosen once. Customers stored before this existed are in the first of the list. */
  accountsProject: v.optional(v.string()),
  status: CustomerStatus,
});
export type Customer = v.InferOutput<typeof Customer>;

/** Returns how many exports a customer has submitted on the UTC day of an instant. */
export function exportsOn({ exportsToday }: Pick<Customer, "exportsToday">, instant: Date): number {
  return exportsToday?.date === utcDate(instant) ? exportsToday.count : 0;
}

/** Finds the countries whose data a customer may access: none for a deleted customer. */
export function openCustomerCountries(config: Config): (uid: string) => Promise<readonly string[]> {
  const customers = firestoreReader(config).collection("customers");
  return async (uid) => {
    const data = await readDocument(customers.doc(uid));
    return data === undefined ? [] : v.parse(Customer, data).countries;
  };
}

/** Opens the customers, to read one's limits and the bytes of its jobs. Undefined for a deleted customer. */
export function openCustomerBudget(config: Config): (uid: string) => Promise<Customer | undefined> {
  const customers = firestoreReader(config).collection("customers");
  return async (uid) => {
    const data = await readDocument(customers.doc(uid));
    return data === undefined ? undefined : v.parse(Customer, data);
  };
}

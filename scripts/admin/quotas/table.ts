import type { Customer } from "../../../shared/accounts/customers.ts";

type Limits = Customer["limits"];
type Quotas = {
  readonly [L in keyof Limits]: { readonly limit: L; readonly option: string; readonly bounds: string; readonly unit: number };
};

/** Each limit of a customer: its option, what it bounds, and how many of the stored unit make one of the option's. */
const QUOTAS = {
  runningJobs: { limit: "runningJobs", option: "running-jobs", bounds: "jobs in work at once", unit: 1 },
  unfinishedJobs: { limit: "unfinishedJobs", option: "unfinished-jobs", bounds: "jobs in work and waiting together", unit: 1 },
  exportsPerDay: { limit: "exportsPerDay", option: "exports-per-day", bounds: "exports submitted on one day (UTC)", unit: 1 },
  maps: { limit: "maps", option: "maps", bounds: "maps", unit: 1 },
  geometryBytes: { limit: "geometryBytes", option: "geometry-mib", bounds: "geometry of all maps together, MiB", unit: 1024 ** 2 },
} as const satisfies Quotas;

/** The limits with how they are set, in the order in which they are shown. */
export const quotas = Object.values(QUOTAS);

/** The limits of a customer for people, as rows. */
export function quotaRows(limits: Limits) {
  return quotas.map(({ limit, option, bounds, unit }) => ({ quota: option, "at most": limits[limit] / unit, bounds }));
}

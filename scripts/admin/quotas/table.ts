import type { Customer } from "../../../shared/accounts/customers.ts";

type Limits = Customer["limits"];
type Quotas = {
  readonly [L in keyof Limits]: { readonly limit: L; readonly option: string; readonly bounds: string; readonly unit: number };
};

/** Each limit of a customer: its option, what it limits, and how many stored units make one unit of the option. */
const QUOTAS = {
  runningJobs: { limit: "runningJobs", option: "running-jobs", bounds: "jobs running at once", unit: 1 },
  unfinishedJobs: { limit: "unfinishedJobs", option: "unfinished-jobs", bounds: "running and waiting jobs", unit: 1 },
  exportsPerDay: { limit: "exportsPerDay", option: "exports-per-day", bounds: "exports submitted per day (UTC)", unit: 1 },
  maps: { limit: "maps", option: "maps", bounds: "maps", unit: 1 },
  geometryBytes: { limit: "geometryBytes", option: "geometry-mib", bounds: "total geometry of all maps, MiB", unit: 1024 ** 2 },
  monitoredCells: { limit: "monitoredCells", option: "monitored-cells", bounds: "cells of all monitored maps", unit: 1 },
  bytesPerDay: { limit: "bytesPerDay", option: "gb-per-day", bounds: "data read by queries per day (UTC), GB", unit: 1e9 },
} as const satisfies Quotas;

/** The limits with their options, in display order. */
export const quotas = Object.values(QUOTAS);

/** Returns a customer's limits as table rows. */
export function quotaRows(limits: Limits) {
  return quotas.map(({ limit, option, bounds, unit }) => ({ quota: option, "at most": limits[limit] / unit, bounds }));
}

import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import { list } from "../print.ts";

/** Returns a customer's `--json` form. */
export function customerJson({ uid, name, status, countries, defaultCountry, personalDataset, limits, ...usage }: CustomerDetails) {
  const { running, waiting, mapCount, geometryBytes } = usage;
  return {
    ...{ uid, name, status, countries, defaultCountry, personalDataset, limits },
    usage: { runningJobs: running, waitingJobs: waiting, maps: mapCount, geometryBytes },
  };
}

/** Returns a customer's fields for display, by label. */
export function customerFields({ uid, name, status, countries, defaultCountry, personalDataset, ...usage }: CustomerDetails) {
  return {
    uid,
    name,
    status,
    countries: `${list(countries)} (default ${defaultCountry})`,
    "personal dataset": personalDataset ?? "–",
    jobs: `${usage.running} running, ${usage.waiting} waiting`,
    maps: `${usage.mapCount} with ${Math.ceil(usage.geometryBytes / 1024)} KiB of geometry`,
  };
}

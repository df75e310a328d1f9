import { accountsProjectOf } from "../../../shared/accounts/accounts-project.ts";
import type { Allow } from "../../../shared/accounts/customers.ts";
import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import { personalDatasetOf } from "../../../shared/accounts/personal-dataset.ts";
import type { Config } from "../../../shared/runtime/config.ts";
import { list } from "../print.ts";

/** Returns a customer's `--json` form. */
export function customerJson(config: Pick<Config, "accountsProjects">, customer: CustomerDetails) {
  const { uid, name, status, countries, defaultCountry, personalDataset, limits, allow } = customer;
  const accountsProject = accountsProjectOf(config, customer);
  const { running, waiting, mapCount, geometryBytes } = customer;
  return {
    ...{ uid, name, status, countries, defaultCountry, personalDataset, accountsProject, limits, allow },
    personalDatasetState: personalDatasetOf(customer).state,
    usage: { runningJobs: running, waitingJobs: waiting, maps: mapCount, geometryBytes },
  };
}

/** Returns a customer's fields for display, by label. */
export function customerFields(config: Pick<Config, "accountsProjects">, customer: CustomerDetails) {
  const { uid, name, status, countries, defaultCountry, allow, ...usage } = customer;
  const { state, dataset } = personalDatasetOf(customer);
  return {
    uid,
    name,
    status,
    countries: `${list(countries)} (default ${defaultCountry})`,
    "personal dataset": dataset ?? (state === "requested" ? "requested" : "–"),
    "accounts in": accountsProjectOf(config, customer),
    "may grant": allowed(allow),
    jobs: `${usage.running} running, ${usage.waiting} waiting`,
    maps: `${usage.mapCount} with ${Math.ceil(usage.geometryBytes / 1024)} KiB of geometry`,
  };
}

/** Formats what a customer's admins may grant by themselves. */
export function allowed({ scopes, profiles }: Allow): string {
  return list([...scopes, ...profiles.filter((profile) => profile === "warehouse")]);
}

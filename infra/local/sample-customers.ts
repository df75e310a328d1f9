import type { Config } from "../../shared/runtime/config.ts";
import { persistCustomers, persistedCustomers } from "./persisted-customers.ts";
import { type Account, drawCustomer, type LocalCustomer, livingCustomers, provisionCustomer } from "./provision.ts";

/**
 * The sample customers: those of the data folder that are still there; else new ones. A folder whose first start was killed before all of them
 * were made knows whom it was to make: what is not there is made now.
 * @param countries those that a customer may have
 */
export async function sampleOrPersistedCustomers(
  dataDirectory: string | undefined,
  countries: readonly string[],
  config: Pick<Config, "project" | "accountsProject" | "environment">,
  metadataHost: string,
): Promise<LocalCustomer[]> {
  const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
  if (kept?.made) return livingCustomers(config, kept.customers);
  const accounts = sampleCustomers(countries);
  const customers = kept?.customers ?? accounts.map(drawCustomer);
  if (dataDirectory !== undefined) persistCustomers(dataDirectory, { made: false, customers });
  await Promise.all(accounts.map((account, index) => provisionCustomer(config, metadataHost, account, customers[index])));
  if (dataDirectory !== undefined) persistCustomers(dataDirectory, { made: true, customers });
  return [...customers];
}

/** Two customers, so that each can be seen not to reach the other. */
function sampleCustomers(countries: readonly string[]): Account[] {
  const plain = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } as const;
  const acme = {
    admin: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
    storage: plain,
    warehouse: { ...plain, service: "warehouse" },
    no_realtime: { ...plain, scopes: [] },
  } as const;
  return [
    { name: "Acme Mobility", countries, defaultCountry: "EST", keys: acme },
    { name: "Globex Transit", countries: ["NOR"], defaultCountry: "NOR", keys: { storage: plain } },
  ];
}

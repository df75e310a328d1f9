import { type Account, drawCustomer, type LocalCustomer, livingCustomers, provisionCustomer } from "../../scripts/admin/local/customers.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { persistCustomers, persistedCustomers } from "./persisted-customers.ts";

/**
 * Returns the sample customers: those of the data folder that still exist, else new ones. If a first start was killed before it had created
 * all of them, the missing ones are created now.
 * @param countries the countries available to customers
 */
export async function sampleOrPersistedCustomers(
  dataDirectory: string | undefined,
  countries: readonly string[],
  config: Pick<Config, "project" | "accountsProjects" | "databases" | "environment">,
  metadataHost: string,
): Promise<LocalCustomer[]> {
  const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
  if (kept?.made) return livingCustomers(config, kept.customers);
  const accounts = sampleCustomers(countries);
  const customers = kept?.customers ?? accounts.map(drawCustomer);
  if (dataDirectory !== undefined) persistCustomers(dataDirectory, { made: false, monitored: false, customers });
  await Promise.all(accounts.map((account, index) => provisionCustomer(config, metadataHost, account, customers[index])));
  if (dataDirectory !== undefined) persistCustomers(dataDirectory, { made: true, monitored: false, customers });
  return [...customers];
}

/** Two customers, to test that neither can access the other's data. The start makes their datasets before it is ready. */
function sampleCustomers(countries: readonly string[]): Account[] {
  const plain = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } as const;
  const acme = {
    admin: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
    storage: plain,
    warehouse: { ...plain, service: "warehouse" },
    no_realtime: { ...plain, scopes: [] },
  } as const;
  return [
    {
      name: "Acme Mobility",
      countries,
      defaultCountry: "EST",
      allow: { scopes: ["realtime"], profiles: ["storage", "warehouse"] },
      hasDatasets: true,
      keys: acme,
    },
    { name: "Globex Transit", countries: ["NOR"], defaultCountry: "NOR", hasDatasets: true, keys: { storage: plain } },
  ];
}

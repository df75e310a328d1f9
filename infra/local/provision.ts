import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { askDatasets, askHistory, type Child } from "./child.ts";
import type { CloudReady, Ports } from "./messages.ts";
import { createMonitoredMap } from "./monitored-map.ts";
import { persistCustomers, persistedCustomers } from "./persisted-customers.ts";

/** Creates a customer's datasets, with its own tables, and fills these with the headcounts that it has. */
export async function makeDatasets(cloud: Child<CloudReady>, config: Config, uid: string): Promise<void> {
  await askDatasets(cloud.process, uid);
  const { fillTablesOf } = await import("../../shared/realtime/fill-customer-table.ts");
  await fillTablesOf(config, uid);
}

/** Makes the first sample customer's map and its history, once for each data folder. */
export async function makeHistory(
  dataDirectory: string | undefined,
  customer: LocalCustomer | undefined,
  cloud: Child<CloudReady>,
  { users, data }: Ports,
): Promise<void> {
  const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
  if (!customer || kept?.monitored) return;
  const of = await createMonitoredMap(customer, { users: `http://127.0.0.1:${users}`, data: `http://127.0.0.1:${data}` });
  await askHistory(cloud.process, of);
  if (dataDirectory !== undefined && kept) persistCustomers(dataDirectory, { ...kept, monitored: true });
}

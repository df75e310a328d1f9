import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { askDatasets, askHistory, type Child } from "./child.ts";
import type { CloudReady, Ports } from "./messages.ts";
import { createMonitoredMap } from "./monitored-map.ts";
import { persistCustomers, persistedCustomers } from "./persisted-customers.ts";
import type { HistoryOf } from "./sample/history.ts";

/** Creates a customer's datasets, with its own tables, and fills these with the headcounts that it has. */
export async function makeDatasets(cloud: Child<CloudReady>, config: Config, uid: string): Promise<void> {
  const filling = import("../../shared/realtime/fill-customer-table.ts");
  await askDatasets(cloud.process, uid);
  const { fillTablesOf } = await filling;
  await fillTablesOf(config, uid);
}

/** Makes the first sample customer's map, once for each data folder. Returns whose history to add, if it has none yet. */
export async function makeMonitoredMap(
  dataDirectory: string | undefined,
  customer: LocalCustomer | undefined,
  { users, data }: Ports,
): Promise<HistoryOf | undefined> {
  const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
  if (!customer || kept?.monitored) return undefined;
  return createMonitoredMap(customer, { users: `http://127.0.0.1:${users}`, data: `http://127.0.0.1:${data}` });
}

/**
 * Adds the history of the monitored map. Its customer's own tables must have been filled. Resolves when queries of headcounts wait for it, with
 * what resolves when it is there. If it cannot be made, a later start tries again.
 */
export async function addHistory(
  dataDirectory: string | undefined,
  cloud: Child<CloudReady>,
  of: HistoryOf,
): Promise<{ readonly added: Promise<void> }> {
  const { added } = await askHistory(cloud.process, of);
  const keep = (isThere: boolean): void => {
    if (!isThere) return;
    const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
    if (dataDirectory !== undefined && kept) persistCustomers(dataDirectory, { ...kept, monitored: true });
  };
  return { added: added.then(keep) };
}

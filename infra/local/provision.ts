import { readFileSync } from "node:fs";
import * as v from "valibot";
import { personalDatasetName } from "../../scripts/admin/dataset-names.ts";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { askCustomers, askDatasets, askHistory, type Child } from "./child.ts";
import type { FunctionsProcess } from "./functions-process.ts";
import { unlessInterrupted } from "./interruption.ts";
import { type CloudReady, type Ports, TablesMade } from "./messages.ts";
import { createMonitoredMap } from "./monitored-map.ts";
import { persistCustomers, persistedCustomers } from "./persisted-customers.ts";
import type { ProvisionedCustomer } from "./ready-file.ts";
import type { HistoryOf } from "./sample/history.ts";
import type { ServiceParts } from "./stop-service.ts";
import { provisionTopics } from "./topics.ts";

interface Provisioning {
  readonly dataDirectory: string | undefined;
  readonly countriesFile: string;
  readonly cloud: Child<CloudReady>;
  readonly functions: FunctionsProcess;
  readonly config: Config;
  readonly signal: AbortSignal | undefined;
  /** Receives progress lines for people. */
  readonly say: (line: string) => void;
}

interface Provisioned {
  readonly customers: readonly ProvisionedCustomer[];
  /** Resolves when the history of the monitored map is there, which queries of headcounts wait for. Absent if it was there before. */
  readonly historyAdded: Promise<void> | undefined;
}

/**
 * Makes what a service has before its first request, as Terraform and an operator do in the cloud: topics, the sample customers, their datasets, and the map
 * that one of them monitors. The functions must run. Throws a one-line error if something cannot be made, and `Interrupted` as soon as it is.
 */
export async function provision({
  dataDirectory,
  countriesFile,
  cloud,
  functions,
  config,
  signal,
  say,
}: Provisioning): Promise<Provisioned> {
  const { ports } = functions.current.ready;
  const countries = Object.keys(parseCountryTable(countriesFile, JSON.parse(readFileSync(countriesFile, "utf8"))));
  v.parse(TablesMade, await cloud.next);
  say("Preparing the sample customers …");
  const [customers] = await unlessInterrupted(
    Promise.all([
      // The functions' process has loaded Firestore's client, which takes a second.
      askCustomers(functions.current.process, { dataDirectory, countries, metadata: cloud.ready.metadata }),
      provisionTopics(config, cloud.ready.pubsub, (name) => `http://127.0.0.1:${ports[name]}/`),
    ]),
    signal,
  );
  say("Preparing their datasets and a monitored map …");
  const [monitored] = await unlessInterrupted(
    Promise.all([
      makeMonitoredMap(dataDirectory, customers[0], { ports, signal }),
      ...customers.map(({ uid }) => makeDatasets(cloud, config, uid)),
    ]),
    signal,
  );
  const history = monitored && (await addHistory(dataDirectory, cloud, monitored));
  return {
    customers: customers.map((customer) => ({ ...customer, personal_dataset: personalDatasetName(customer.uid) })),
    historyAdded: history?.added,
  };
}

/** Creates a customer's datasets, with its own tables, and fills these with the headcounts that it has. */
async function makeDatasets(cloud: Child<CloudReady>, config: Config, uid: string): Promise<void> {
  const filling = import("../../shared/realtime/fill-customer-table.ts");
  await askDatasets(cloud.process, uid);
  const { fillTablesOf } = await filling;
  await fillTablesOf(config, uid);
}

/** Creates the personal dataset that a customer has requested, as an operator does in the cloud, and records that it is ready. */
export async function makeRequestedDataset({ cloud }: Pick<ServiceParts, "cloud">, config: Config, uid: string): Promise<void> {
  if (!cloud) throw new Error("The local cloud does not run");
  await makeDatasets(cloud, config, uid);
  const [{ setPersonalDataset }, { firestore }] = await Promise.all([
    import("../../shared/accounts/customers-admin.ts"),
    import("../../shared/google/firestore.ts"),
  ]);
  await setPersonalDataset(firestore(config), uid, personalDatasetName(uid));
}

/** Makes the first sample customer's map, once for each data folder. Returns whose history to add, if it has none yet. */
async function makeMonitoredMap(
  dataDirectory: string | undefined,
  customer: LocalCustomer | undefined,
  { ports: { users, data }, signal }: { readonly ports: Ports; readonly signal: AbortSignal | undefined },
): Promise<HistoryOf | undefined> {
  const kept = dataDirectory === undefined ? undefined : persistedCustomers(dataDirectory);
  if (!customer || kept?.monitored) return undefined;
  return createMonitoredMap(customer, { users: `http://127.0.0.1:${users}`, data: `http://127.0.0.1:${data}` }, signal);
}

/**
 * Adds the history of the monitored map. Its customer's own tables must have been filled. Resolves when queries of headcounts wait for it, with
 * what resolves when it is there. If it cannot be made, a later start tries again.
 */
async function addHistory(
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

import { renameSync, writeFileSync } from "node:fs";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import type { Child } from "./child.ts";
import { BUCKET, LANDING_BUCKET, PROJECT } from "./functions-environment.ts";
import type { CloudReady, FunctionsReady } from "./messages.ts";

/** The content of `ready.json`: addresses and credentials of a running local service. */
export interface Ready {
  readonly users_base_url: string;
  readonly data_base_url: string;
  readonly project: string;
  readonly export_bucket: string;
  /** The bucket in which the provider's data arrives. */
  readonly landing_bucket: string;
  readonly storage_endpoint: string;
  readonly bigquery_endpoint: string;
  readonly firestore_host: string;
  readonly firestore_admin_endpoint: string;
  /** The databases that the functions are pointed at. */
  readonly firestore_databases: { readonly main: string; readonly usage: string };
  readonly pubsub_host: string;
  readonly tasks_host: string;
  readonly metadata_host: string;
  readonly countries_file: string;
  readonly engines: CloudReady["engines"];
  readonly functions: Readonly<Record<string, string>>;
  readonly pids: { readonly cloud: number; readonly functions: number };
  readonly customers: readonly ProvisionedCustomer[];
}

/** A sample customer with its dataset in the warehouse. */
export type ProvisionedCustomer = LocalCustomer & { readonly personal_dataset: string };

/** Returns the addresses and credentials for users of a running service. */
export function describe(
  cloud: Child<CloudReady>,
  functions: Child<FunctionsReady>,
  customers: readonly ProvisionedCustomer[],
  { countriesFile, databases }: { countriesFile: string; databases: Ready["firestore_databases"] },
): Ready {
  const { users, data, ...others } = functions.ready.ports;
  return {
    users_base_url: `http://127.0.0.1:${users}`,
    data_base_url: `http://127.0.0.1:${data}`,
    project: PROJECT,
    export_bucket: BUCKET,
    landing_bucket: LANDING_BUCKET,
    storage_endpoint: `http://${cloud.ready.storage}`,
    bigquery_endpoint: `http://${cloud.ready.bigquery}`,
    firestore_host: cloud.ready.firestore,
    firestore_admin_endpoint: `http://${cloud.ready.firestore_admin}`,
    firestore_databases: databases,
    pubsub_host: cloud.ready.pubsub,
    tasks_host: cloud.ready.tasks,
    metadata_host: cloud.ready.metadata,
    countries_file: countriesFile,
    engines: cloud.ready.engines,
    functions: Object.fromEntries(Object.entries(others).map(([name, port]) => [name, `http://127.0.0.1:${port}`])),
    pids: { cloud: cloud.process.pid ?? 0, functions: functions.process.pid ?? 0 },
    customers,
  };
}

/** The `ready.json` of a running service. */
export class ReadyFile {
  readonly #file: string;
  #ready: Ready | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  publish(ready: Ready): void {
    this.#ready = ready;
    writeReady(this.#file, ready);
  }

  /** Changes a part of what was published. Does nothing before that. */
  change(partOf: (ready: Ready) => Partial<Ready>): void {
    if (this.#ready) this.publish({ ...this.#ready, ...partOf(this.#ready) });
  }
}

/** Writes atomically, so a waiting reader never sees a partial file. The file holds keys: only its owner can read it. */
function writeReady(file: string, ready: Ready): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(ready, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

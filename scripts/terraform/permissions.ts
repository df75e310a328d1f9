import { type Connection, functionNeeds, type Needs, openers } from "./function-needs.ts";
import type { GRANTS } from "./grants.ts";

/** When a function needs a grant of `grants.ts`. `databases` are the openers of Firestore, by name. */
export const NEEDED_WHEN: Readonly<Record<keyof typeof GRANTS, (needs: Needs, databases: ReadonlyMap<string, Connection>) => boolean>> = {
  store: connecting("store"),
  // Who writes also reads.
  read_store: (needs, databases) => connecting("reader")(needs, databases) && !connecting("store")(needs, databases),
  usage: connecting("usage"),
  queue: opening("openTaskQueue"),
  queue_account: opening("openTaskQueue"),
  topic: opening("openTopic"),
  measurements_topic: opening("openMeasurementsTopic"),
  exports: opening("openExports"),
  tokens: opening("openIamCredentials"),
  signatures: opening("openUrlSigner"),
  landing: opening("openLandingBucket"),
  load_staging: opening("openLoadJobs"),
  load_intake: opening("openLoadJobs"),
  load_facts: opening("openLoadJobs"),
  read_arrivals: ({ names, opens }) => names.has("intake.batches") && !opens.has("openLoadJobs"),
  warehouse_jobs: ({ startsJobs, opens }) => startsJobs || opens.has("openCustomerTables"),
  use_reservation: ({ queriesInteractively }) => queriesInteractively,
  // Who starts jobs may stop its own.
  stop_warehouse_jobs: ({ startsJobs, stopsJobs }) => stopsJobs && !startsJobs,
  read_facts: ({ names, opens }) =>
    !opens.has("openLoadJobs") && (opens.has("openTableState") || [...names].some((table) => table.startsWith("mobility."))),
  read_presence: ({ names }) => names.has("realtime.presence"),
  read_monitored_maps: ({ names, writes, opens }) => names.has("realtime.monitored_maps") && !writesMaps(writes, opens),
  write_monitored_maps: ({ writes, opens }) => writesMaps(writes, opens),
  read_map_cells: ({ names, writes, opens }) => names.has("realtime.map_cells") && !writesCells(writes, opens),
  write_map_cells: ({ writes, opens }) => writesCells(writes, opens),
  read_headcounts: ({ names, writes }) => names.has("realtime.headcounts") && !writes.has("realtime.headcounts"),
  write_headcounts: ({ writes }) => writes.has("realtime.headcounts"),
  write_customer_tables: opening("openCustomerTables"),
  write_customer_tables_eu: opening("openCustomerTables"),
};

function writesMaps(writes: ReadonlySet<string>, opens: ReadonlySet<string>): boolean {
  return writes.has("realtime.monitored_maps") || opens.has("openMonitoredMaps");
}

function writesCells(writes: ReadonlySet<string>, opens: ReadonlySet<string>): boolean {
  return writes.has("realtime.map_cells") || opens.has("openMapCells");
}

function connecting(as: Connection): (needs: Needs, databases: ReadonlyMap<string, Connection>) => boolean {
  return ({ opens }, databases) => [...opens].some((name) => databases.get(name) === as);
}

function opening(opener: string): (needs: Needs) => boolean {
  return ({ opens }) => opens.has(opener);
}

/** What a function's code needs: grants, and the tables (`dataset.table`, or `dataset.*`) that its statements name, and those that they write. */
export interface Permissions {
  readonly grants: readonly string[];
  readonly tables: readonly string[];
  readonly writes: readonly string[];
}

/** The permissions of each function of `functions.json`, by name: those that its code needs, and no others. Terraform reads them. */
export async function functionPermissions(root: string): Promise<Record<string, Permissions>> {
  const databases = openers(root);
  const needs = await functionNeeds(root);
  const grantsOf = (of: Needs) => Object.entries(NEEDED_WHEN).flatMap(([grant, isNeeded]) => (isNeeded(of, databases) ? [grant] : []));
  return Object.fromEntries(
    [...needs].map(([name, of]) => [name, { grants: grantsOf(of).sort(), tables: tablesOf(of.names), writes: tablesOf(of.writes) }]),
  );
}

/** Sorts names of tables. One that a statement puts together stands for all of its dataset. */
function tablesOf(names: ReadonlySet<string>): string[] {
  return [...names].map((name) => name.replace(".${", ".*")).sort();
}

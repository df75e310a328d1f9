import { type DeletedCustomers, openDeletedCustomers } from "../accounts/deleted-customers.ts";
import { isManifest } from "../aggregation/export-path.ts";
import { openWarehouse, type Warehouse } from "../google/bigquery.ts";
import { type Exports, openExports } from "../google/storage.ts";
import {
  countHeadcountsStatement,
  countMonitoredStatement,
  deleteHeadcountsStatement,
  deleteMonitoredStatement,
  type MonitoredRowCount,
} from "../realtime/customer-rows.ts";
import { type CustomerTables, openCustomerTables } from "../realtime/customer-tables.ts";
import { openSnapshots, type SnapshotStore } from "../realtime/snapshots.ts";
import type { Config } from "../runtime/config.ts";
import { type CustomerUsage, openCustomerUsage } from "./usage.ts";

const labelsOf = (uid: string) => ({ customer: uid, purpose: "customer-removal" });

/** The stores of customer data that is not written in a transaction with the customer itself. */
export interface CustomerDataStores {
  readonly exports: Pick<Exports, "list" | "remove">;
  /** The warehouse of realtime, and the customers' own tables. */
  readonly home: Pick<Warehouse, "query" | "queryOne">;
  readonly tables: Pick<CustomerTables, "drop">;
  readonly snapshots: Pick<SnapshotStore, "remove">;
  readonly usage: CustomerUsage;
  readonly deletedCustomers: DeletedCustomers;
}

export function openCustomerDataStores(config: Config): CustomerDataStores {
  return {
    exports: openExports(config),
    home: openWarehouse(config),
    tables: openCustomerTables(config),
    snapshots: openSnapshots(config),
    usage: openCustomerUsage(config),
    deletedCustomers: openDeletedCustomers(config),
  };
}

/** Removes everything in a customer's folder of the export bucket. Returns the number of files. */
export async function deleteFiles({ exports }: Pick<CustomerDataStores, "exports">, uid: string): Promise<number> {
  const folder = `results/${uid}/`;
  const files = await exports.list(folder);
  if (files.length > 0) await exports.remove(folder, isManifest);
  return files.length;
}

type Warehouses = Pick<CustomerDataStores, "home" | "tables">;

/** How many rows of a customer the realtime tables held. */
interface DeletedRows {
  /** Headcounts. All are removed. */
  readonly headcounts: number;
  /** The customer's own tables, copies of its headcounts. All are dropped. */
  readonly tables: number;
  /** Removed rows of its monitored maps. */
  readonly monitored: number;
  /** Rows of its monitored maps that were streamed too recently for BigQuery to delete. */
  readonly tooRecent: number;
}

/** Removes a customer's rows from the realtime tables, and its own tables. */
export async function deleteRows({ home, tables: customerTables }: Warehouses, uid: string, now: Date): Promise<DeletedRows> {
  const { old, recent } = await countMonitoredRows(home, uid, now);
  const monitored = old > 0 && (await deleteMonitoredRows(home, uid, now)) ? old : 0;
  const { count: headcounts } = await home.queryOne(countHeadcountsStatement(uid), labelsOf(uid));
  if (headcounts > 0) await home.query(deleteHeadcountsStatement(uid), labelsOf(uid));
  const tables = await customerTables.drop(uid);
  return { headcounts, tables, monitored, tooRecent: recent + old - monitored };
}

/** Deletes the rows of a customer's monitored maps. Returns false if BigQuery finds some too recent: `now`, an operator's clock, is ahead of its own. */
async function deleteMonitoredRows(home: Warehouses["home"], uid: string, now: Date): Promise<boolean> {
  try {
    for (const table of ["realtime.monitored_maps", "realtime.map_cells"] as const)
      await home.query(deleteMonitoredStatement(table, uid, now), labelsOf(uid));
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("streaming buffer")) return false;
    throw error;
  }
}

/** Counts the rows of a customer's monitored maps. `recent` are those that BigQuery cannot delete yet. */
export async function countMonitoredRows(home: Warehouses["home"], uid: string, now: Date): Promise<MonitoredRowCount> {
  return home.queryOne(countMonitoredStatement(uid, now), labelsOf(uid));
}

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
import type { Config } from "../runtime/config.ts";

const LABELS = { purpose: "customer-removal" };

/** Where things of a customer lie that are not made in a transaction with the customer itself. */
export interface CustomerDataStores {
  readonly exports: Pick<Exports, "list" | "remove">;
  /** The warehouse of realtime, and that of its copy in eu. */
  readonly home: Pick<Warehouse, "query" | "queryOne">;
  readonly copy: Pick<Warehouse, "query" | "queryOne">;
  readonly gone: DeletedCustomers;
}

export function openCustomerDataStores(config: Config): CustomerDataStores {
  return {
    exports: openExports(config),
    home: openWarehouse(config),
    copy: openWarehouse({ ...config, region: "EU" }),
    gone: openDeletedCustomers(config),
  };
}

/** Removes everything in a customer's folder of the export bucket. Gives how many files there were. */
export async function deleteFiles({ exports }: Pick<CustomerDataStores, "exports">, uid: string): Promise<number> {
  const folder = `results/${uid}/`;
  const files = await exports.list(folder);
  if (files.length > 0) await exports.remove(folder, isManifest);
  return files.length;
}

type Warehouses = Pick<CustomerDataStores, "home" | "copy">;

/** What there was of a customer in the tables of realtime. */
interface DeletedRows {
  /** Headcounts, in both locations; all are removed. */
  readonly headcounts: number;
  /** Rows of its monitored maps that were removed, and those that were streamed too lately for BigQuery to delete them. */
  readonly monitored: number;
  readonly tooRecent: number;
}

/** Removes a customer's rows of realtime. */
export async function deleteRows({ home, copy }: Warehouses, uid: string, now: Date): Promise<DeletedRows> {
  const { old: monitored, recent: tooRecent } = await countMonitoredRows(home, uid, now);
  if (monitored > 0) await home.query(deleteMonitoredStatement(uid, now), LABELS);
  let headcounts = 0;
  for (const [table, warehouse] of [
    ["realtime.headcounts", home],
    ["realtime_eu.headcounts", copy],
  ] as const) {
    const { count } = await warehouse.queryOne(countHeadcountsStatement(table, uid), LABELS);
    if (count > 0) await warehouse.query(deleteHeadcountsStatement(table, uid), LABELS);
    headcounts += count;
  }
  return { headcounts, monitored, tooRecent };
}

/** How many rows the warehouse has of a customer's monitored maps: `recent` are those that BigQuery does not delete yet. */
export async function countMonitoredRows(home: Warehouses["home"], uid: string, now: Date): Promise<MonitoredRowCount> {
  return home.queryOne(countMonitoredStatement(uid, now), LABELS);
}

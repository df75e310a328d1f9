import * as v from "valibot";
import { bigqueryClient } from "../../../shared/cloud/bigquery.ts";
import { statusOf } from "../../../shared/cloud/client-error.ts";
import { openWarehouse } from "../../../shared/cloud/warehouse.ts";
import {
  countHeadcountsStatement,
  countMonitoredStatement,
  forgetHeadcountsStatement,
  forgetMonitoredStatement,
} from "../../../shared/warehouse/forget-customer.ts";
import type { Session } from "../session.ts";

const LABELS = { purpose: "customer-removal" };

const Counted = v.tuple([v.object({ count: v.number() })]);
const CountedMonitored = v.tuple([v.object({ old: v.number(), recent: v.number() })]);

/** What there was of a customer in the tables of realtime. */
interface ForgottenRows {
  /** Headcounts, in both locations; all are removed. */
  readonly headcounts: number;
  /** Rows of its monitored maps that were removed, and those that were streamed too lately for BigQuery to delete them. */
  readonly monitored: number;
  readonly tooRecent: number;
}

/** Removes a customer's rows of realtime. */
export async function removeRows({ config, now }: Session, uid: string): Promise<ForgottenRows> {
  const home = openWarehouse(config);
  const [{ old: monitored, recent: tooRecent }] = v.parse(CountedMonitored, await home.query(countMonitoredStatement(uid, now()), LABELS));
  if (monitored > 0) await home.query(forgetMonitoredStatement(uid, now()), LABELS);
  let headcounts = 0;
  for (const [table, warehouse] of [
    ["realtime.headcounts", home],
    ["realtime_eu.headcounts", openWarehouse({ ...config, region: "EU" })],
  ] as const) {
    const [{ count }] = v.parse(Counted, await warehouse.query(countHeadcountsStatement(table, uid), LABELS));
    if (count > 0) await warehouse.query(forgetHeadcountsStatement(table, uid), LABELS);
    headcounts += count;
  }
  return { headcounts, monitored, tooRecent };
}

/** Whether the warehouse holds any row of a customer's monitored maps. */
export async function hasMonitoredRows({ config, now }: Session, uid: string): Promise<boolean> {
  const [{ old, recent }] = v.parse(CountedMonitored, await openWarehouse(config).query(countMonitoredStatement(uid, now()), LABELS));
  return old + recent > 0;
}

/** Removes a customer's own datasets, with their views, where Terraform does not. Gives how many there were. */
export async function removeDatasets({ place, config }: Session, uid: string): Promise<number> {
  if (place.kind === "cloud") return 0;
  let removed = 0;
  for (const dataset of [`customer_${uid}`, `customer_${uid}_eu`]) {
    try {
      await bigqueryClient(config).dataset(dataset).delete({ force: true });
      removed += 1;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  }
  return removed;
}

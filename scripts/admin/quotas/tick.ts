import { openWarehouse } from "../../../shared/google/bigquery.ts";
import { headcountsStatement, newestTicksStatement } from "../../../shared/realtime/headcounts.ts";
import { type CellBudget, type TickPromise, tickPromise } from "../../../shared/realtime/tick-promise.ts";
import type { Session } from "../session.ts";

/** Returns how much of a tick is promised to these customers. What a tick reads now is asked of the warehouse by a dry run. */
export async function promisedTo(customers: readonly CellBudget[], { config, countries }: Session, at: Date): Promise<TickPromise> {
  const warehouse = openWarehouse(config);
  const labels = { customer: "all", purpose: "quotas" };
  const newest = await warehouse.query(newestTicksStatement(at), labels);
  const { bytes } = await warehouse.dryRun(headcountsStatement(at, countries, newest), labels);
  return tickPromise(bytes, customers, config.bytesBilledMax);
}

import { openCustomerBudget } from "../accounts/customers.ts";
import { type Labels, openWarehouse, type Warehouse } from "../google/bigquery.ts";
import { errorReason } from "../google/client-error.ts";
import { onlyRow, type Statement } from "../google/statement.ts";
import { ServiceError } from "../http/errors.ts";
import type { Config } from "../runtime/config.ts";
import { processLog } from "../runtime/log.ts";
import { shutdownSignal } from "../runtime/shutdown-signal.ts";
import { openLeasedBytes } from "./leased-bytes.ts";
import { createLeases, type Leases } from "./leases.ts";

/** What each query may be billed, whatever its dry run says. */
const BYTES_MIN = 1_000_000_000;
/** BigQuery's minimum per table that a query reads. Source: https://cloud.google.com/bigquery/pricing */
const TABLE_BYTES_MIN = 10 * 1024 * 1024;
/** How many texts of statements a process remembers the bytes of. */
const REMEMBERED_MAX = 1000;

/** The warehouse of requests that wait for their rows. Each query counts for its customer's day. */
export type InteractiveWarehouse = Pick<Warehouse, "query" | "queryOne" | "dryRun">;

export interface InteractiveContext {
  readonly warehouse: Pick<Warehouse, "queryUpTo" | "dryRun">;
  readonly leases: Pick<Leases, "hold">;
  /** The most that one query may read, in bytes. */
  readonly bytesMax: number;
}

/** Opens the warehouse for an endpoint. What the process has leased and not used is given back when it ends. */
export function openInteractiveWarehouse(config: Config, now: () => Date): InteractiveWarehouse {
  const leases = createLeases({
    leasedBytes: openLeasedBytes(config),
    budgetOf: openCustomerBudget(config),
    now,
    log: processLog,
  });
  shutdownSignal.addEventListener("abort", () => void leases.giveBack(), { once: true });
  return interactiveWarehouse({ warehouse: openWarehouse(config), leases, bytesMax: config.interactiveBytesMax });
}

/**
 * Returns a warehouse whose queries hold what they will read of their customer's day and then count what they were billed. What a statement
 * reads is asked by a dry run and remembered by its text, which holds no values: queries of one text read about as much. Throws
 * `resource_exhausted` beyond the customer's day, `invalid_argument` for a query beyond `bytesMax`.
 */
export function interactiveWarehouse({ warehouse, leases, bytesMax }: InteractiveContext): InteractiveWarehouse {
  const remembered = new Map<string, number>();

  const remember = ({ sql }: Statement, bytes: number): void => {
    remembered.delete(sql);
    remembered.set(sql, bytes);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  };

  const ask = async (statement: Statement, labels: Labels): Promise<number> => {
    const { bytes, tables } = await warehouse.dryRun(statement, labels);
    if (bytes > bytesMax)
      throw new ServiceError("invalid_argument", "The request would read more data than one may; ask for fewer days or geographies");
    const most = bytes + tables * TABLE_BYTES_MIN;
    remember(statement, most);
    return most;
  };

  const run = async <Row>(statement: Statement<Row>, labels: Labels, most: number): Promise<readonly Row[]> => {
    const hold = await leases.hold(labels.customer, most);
    let billed = most;
    try {
      const answer = await warehouse.queryUpTo(statement, labels, Math.min(bytesMax, Math.max(BYTES_MIN, most)));
      billed = answer.bytesBilled;
      if (billed > most) remember(statement, billed);
      return answer.rows;
    } catch (error) {
      // A query that BigQuery answers with an error is not billed. Without an answer it may have run.
      if (errorReason(error) !== undefined) billed = 0;
      throw error;
    } finally {
      await hold.settle(billed);
    }
  };

  const query = async <Row>(statement: Statement<Row>, labels: Labels): Promise<readonly Row[]> => {
    const known = remembered.get(statement.sql);
    if (known === undefined) return run(statement, labels, await ask(statement, labels));
    try {
      return await run(statement, labels, known);
    } catch (error) {
      // This one reads more than those before it. BigQuery refuses such a query before it runs.
      if (errorReason(error) !== "bytesBilledLimitExceeded") throw error;
      return run(statement, labels, await ask(statement, labels));
    }
  };
  return { query, queryOne: async (statement, labels) => onlyRow(await query(statement, labels)), dryRun: warehouse.dryRun };
}

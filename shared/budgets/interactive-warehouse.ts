import { openCustomerBudget } from "../accounts/customers.ts";
import { type Labels, type Outcome, openWarehouse, type Warehouse } from "../google/bigquery.ts";
import { errorReason } from "../google/client-error.ts";
import { onlyRow, type Statement } from "../google/statement.ts";
import { ServiceError } from "../http/errors.ts";
import type { Config } from "../runtime/config.ts";
import { keepRecent } from "../runtime/keep-recent.ts";
import { processLog } from "../runtime/log.ts";
import { shutdownSignal } from "../runtime/shutdown-signal.ts";
import { TABLE_BYTES_MIN } from "./day-bytes.ts";
import { openLeasedBytes } from "./leased-bytes.ts";
import { createLeases, type Hold, type Leases } from "./leases.ts";
import { recentRows } from "./recent-rows.ts";

/** What each query may be billed, whatever its dry run says. */
const BYTES_MIN = 1_000_000_000;
/** How many texts of statements a process remembers the bytes of. */
const REMEMBERED_MAX = 1000;

/** The warehouse of what somebody waits for. Each query counts for its customer's day. */
export interface InteractiveWarehouse extends Pick<Warehouse, "query" | "queryOne" | "dryRun"> {
  /** As `query`, for reference data: what the customer has asked a moment ago is answered from memory (`recentRows`). */
  readonly queryRecent: Warehouse["query"];
}

/** Jobs that somebody waits for. They count as the queries do. */
export interface InteractiveJobs {
  /** Starts a statement under the caller's job id, or attaches to the job with that id, and waits for it as `Warehouse.wait` does. */
  readonly runJob: <Row>(
    jobId: string,
    statement: Statement<Row>,
    labels: Labels,
    milliseconds: number,
    shutdownSignal?: AbortSignal,
  ) => Promise<Outcome<Row>>;
}

export interface InteractiveContext {
  readonly warehouse: Pick<Warehouse, "queryUpTo" | "dryRun" | "start" | "wait" | "bill">;
  readonly leases: Pick<Leases, "hold" | "holdFirst" | "prepare">;
  /** The most that one query may read, in bytes. */
  readonly bytesMax: number;
  readonly now: () => Date;
}

/** Opens the warehouse for an endpoint. What the process has leased and not used is given back when it ends. */
export function openInteractiveWarehouse(config: Config, now: () => Date): InteractiveWarehouse {
  return openInteractiveJobs(config, now);
}

/** Opens the same with jobs. All of them run in the reservation for interactive queries, if there is one. */
export function openInteractiveJobs(config: Config, now: () => Date): InteractiveWarehouse & InteractiveJobs {
  const leases = createLeases({
    leasedBytes: openLeasedBytes(config),
    budgetOf: openCustomerBudget(config),
    now,
    log: processLog,
  });
  shutdownSignal.addEventListener("abort", () => void leases.giveBack(), { once: true });
  const warehouse = openWarehouse(config, { reservation: config.interactiveReservation });
  return interactiveWarehouse({ warehouse, leases, bytesMax: config.interactiveBytesMax, now });
}

/**
 * Returns a warehouse whose queries hold what they will read of their customer's day and then count what they were billed. What a statement
 * reads is remembered by its text, which holds no values: queries of one text read about as much. The first of a text holds what is free of
 * a lease and may be billed no more; only if BigQuery refuses that, or nothing is free, a dry run is asked before it runs. Throws
 * `resource_exhausted` beyond the customer's day, `invalid_argument` for a query beyond `bytesMax`.
 */
export function interactiveWarehouse({ warehouse, leases, bytesMax, now }: InteractiveContext): InteractiveWarehouse & InteractiveJobs {
  const remembered = new Map<string, number>();
  // A query without an answer counts with all that it held, so the next is asked first.
  let isAnswering = true;

  const remember = ({ sql }: Statement, bytes: number): void => keepRecent(remembered, sql, bytes, REMEMBERED_MAX);

  const ask = async (statement: Statement, labels: Labels, max: number): Promise<number> => {
    const { bytes, tables } = await warehouse.dryRun(statement, labels);
    if (bytes > max)
      throw new ServiceError("invalid_argument", "The request would read more data than one may; ask for fewer days or geographies");
    const most = bytes + tables * TABLE_BYTES_MIN;
    remember(statement, most);
    return most;
  };

  /** Asks for a text that is not remembered, while bytes are leased for the customer's first query of this process. */
  const askFirst = async (statement: Statement, labels: Labels, max: number): Promise<number> => {
    const [most] = await Promise.all([ask(statement, labels, max), leases.prepare(labels.customer)]);
    return most;
  };

  /** Runs a query that holds some bytes and may be billed up to `max`. */
  const run = async <Row>(statement: Statement<Row>, labels: Labels, hold: Hold, max: number): Promise<readonly Row[]> => {
    let billed = hold.bytes;
    try {
      const answer = await warehouse.queryUpTo(statement, labels, Math.min(bytesMax, max));
      isAnswering = true;
      billed = answer.bytesBilled;
      if (billed > (remembered.get(statement.sql) ?? 0)) remember(statement, billed);
      return answer.rows;
    } catch (error) {
      // A query that BigQuery answers with an error is not billed. Without an answer it may have run.
      isAnswering = errorReason(error) !== undefined;
      if (isAnswering) billed = 0;
      throw error;
    } finally {
      await hold.settle(billed);
    }
  };

  const runKnown = async <Row>(statement: Statement<Row>, labels: Labels, most: number): Promise<readonly Row[]> =>
    run(statement, labels, await leases.hold(labels.customer, most), Math.max(BYTES_MIN, most));

  const query = async <Row>(statement: Statement<Row>, labels: Labels): Promise<readonly Row[]> => {
    const known = remembered.get(statement.sql);
    const first = known === undefined && isAnswering ? await leases.holdFirst(labels.customer) : undefined;
    try {
      if (first) return await run(statement, labels, first, first.bytes);
      if (known !== undefined) return await runKnown(statement, labels, known);
    } catch (error) {
      // This one reads more than it may be billed: more than those before it, or than was free. BigQuery refuses such a query before it runs.
      if (errorReason(error) !== "bytesBilledLimitExceeded") throw error;
      return runKnown(statement, labels, await ask(statement, labels, bytesMax));
    }
    return runKnown(statement, labels, await askFirst(statement, labels, bytesMax));
  };

  const runJob: InteractiveJobs["runJob"] = async (jobId, statement, labels, milliseconds, signal) => {
    // The job itself is bounded as every job of the service is.
    const most = remembered.get(statement.sql) ?? (await askFirst(statement, labels, Number.POSITIVE_INFINITY));
    const hold = await leases.hold(labels.customer, most);
    let billed: number | undefined;
    try {
      await warehouse.start(jobId, statement, labels);
      const outcome = await warehouse.wait(jobId, statement, milliseconds, signal);
      billed = (await warehouse.bill(jobId))?.bytes;
      return outcome;
    } finally {
      // Nobody asks later for the bill of a job that still runs: it counts with what it may read.
      await hold.settle(billed ?? most);
    }
  };
  return {
    query,
    queryOne: async (statement, labels) => onlyRow(await query(statement, labels)),
    queryRecent: recentRows(query, now),
    dryRun: warehouse.dryRun,
    runJob,
  };
}

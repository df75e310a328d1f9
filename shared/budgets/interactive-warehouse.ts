import { openCustomerBudget } from "../accounts/customers.ts";
import { type Labels, type Outcome, openWarehouse, type Warehouse } from "../google/bigquery.ts";
import { errorReason } from "../google/client-error.ts";
import { onlyRow, type Statement } from "../google/statement.ts";
import { ServiceError } from "../http/errors.ts";
import type { Config } from "../runtime/config.ts";
import { processLog } from "../runtime/log.ts";
import { shutdownSignal } from "../runtime/shutdown-signal.ts";
import { TABLE_BYTES_MIN } from "./day-bytes.ts";
import { openLeasedBytes } from "./leased-bytes.ts";
import { createLeases, type Leases } from "./leases.ts";
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
  readonly leases: Pick<Leases, "hold">;
  /** The most that one query may read, in bytes. */
  readonly bytesMax: number;
  /** Whether queries are billed by bytes, and refused if they would be billed more than they may. In a reservation they are not. */
  readonly isBilledByBytes: boolean;
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
  const reservation = config.interactiveReservation;
  const [warehouse, isBilledByBytes] = [openWarehouse(config, { reservation }), reservation === undefined];
  return interactiveWarehouse({ warehouse, leases, bytesMax: config.interactiveBytesMax, isBilledByBytes, now });
}

/**
 * Returns a warehouse whose queries hold what they will read of their customer's day and then count what they were billed. That is remembered by the
 * statement's text, which holds no values: queries of one text read about as much. The first of a text holds what each query may be billed. A dry run is
 * asked if that is too little, if the customer has less left, or if bytes are not billed. Throws `resource_exhausted` beyond the customer's day,
 * `invalid_argument` for a query beyond `bytesMax`.
 */
export function interactiveWarehouse({
  warehouse,
  leases,
  bytesMax,
  isBilledByBytes,
  now,
}: InteractiveContext): InteractiveWarehouse & InteractiveJobs {
  const remembered = new Map<string, number>();

  const remember = ({ sql }: Statement, bytes: number): void => {
    remembered.delete(sql);
    remembered.set(sql, bytes);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  };

  const ask = async (statement: Statement, labels: Labels, max: number): Promise<number> => {
    const { bytes, tables } = await warehouse.dryRun(statement, labels);
    if (bytes > max)
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
      if (billed > (remembered.get(statement.sql) ?? 0)) remember(statement, billed);
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
    if (known === undefined && !isBilledByBytes) return run(statement, labels, await ask(statement, labels, bytesMax));
    try {
      return await run(statement, labels, known ?? Math.min(bytesMax, BYTES_MIN));
    } catch (error) {
      // It reads more, and BigQuery refuses such a query before it runs; or its customer has less left, of which it may need little.
      const isAsked = errorReason(error) === "bytesBilledLimitExceeded" || (known === undefined && isRefusal(error));
      if (!isAsked) throw error;
      return run(statement, labels, await ask(statement, labels, bytesMax));
    }
  };

  const runJob: InteractiveJobs["runJob"] = async (jobId, statement, labels, milliseconds, signal) => {
    // The job itself is bounded as every job of the service is.
    const most = remembered.get(statement.sql) ?? (await ask(statement, labels, Number.POSITIVE_INFINITY));
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

/** Whether a customer's day has not as many bytes left as a query was to hold. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "resource_exhausted";
}

import * as v from "valibot";
import { awaitLoad } from "../google/await-load.ts";
import { openWarehouse } from "../google/bigquery.ts";
import { bigqueryClient } from "../google/bigquery-client.ts";
import { classifyError, isNotFound } from "../google/classify-error.ts";
import { type Statement, statement } from "../google/statement.ts";
import type { Config } from "../runtime/config.ts";
import { abortable } from "../runtime/shutdown-signal.ts";
import { withTimeout } from "../runtime/with-timeout.ts";
import { HeadcountRow } from "./headcount-rows.ts";

/** The datasets that hold a table a customer: behind the personal datasets, and behind the listings, in eu. */
export const CUSTOMER_DATASETS = ["realtime_customers", "realtime_eu"] as const;
export type CustomerDataset = (typeof CUSTOMER_DATASETS)[number];

/** How far a table is filled with what was measured before it was there: rows of ticks before `before`, all of them once it is done. */
export interface Fill {
  readonly before: Date;
  readonly isDone: boolean;
}

/** A table of one customer: `{dataset}.headcounts_{uid}`. Without `fill`, its fill has not begun. */
export interface CustomerTable {
  readonly dataset: CustomerDataset;
  readonly uid: string;
  readonly fill: Fill | undefined;
}

/** How a load job has ended. `isNew`: this call started it, instead of finding it. */
export type TableLoadOutcome =
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly isMissing: boolean; readonly isNew: boolean; readonly message: string };

/** A row of a table, by what tells it from others. */
const HeldRow = v.pick(HeadcountRow, ["tick", "target_id"]);
type HeldRow = v.InferOutput<typeof HeldRow>;

/** The tables that customers' views read. What a query on one is billed tells of no other customer. */
export interface CustomerTables {
  /** Returns all tables of both datasets. */
  readonly list: () => Promise<readonly CustomerTable[]>;
  /** Returns a customer's tables. */
  readonly of: (uid: string) => Promise<readonly CustomerTable[]>;
  /**
   * Loads rows under the caller's job id, or attaches to the job if the id exists. Returns how the job has ended; `isMissing`: there is no
   * such table. Throws the client's error, `ShuttingDown`, or after two minutes an error.
   */
  readonly load: (
    table: CustomerTable,
    jobId: string,
    rows: readonly HeadcountRow[],
    shutdownSignal?: AbortSignal,
  ) => Promise<TableLoadOutcome>;
  /** Returns what a table has of the ticks of these rows, which must not be none. */
  readonly held: (table: CustomerTable, rows: readonly HeadcountRow[]) => Promise<readonly HeldRow[]>;
  /** Records how far a table is filled, as labels of the table. */
  readonly setFill: (table: CustomerTable, fill: Fill) => Promise<void>;
  /** Drops a customer's tables. Returns how many there were. */
  readonly drop: (uid: string) => Promise<number>;
}

/** How long a call waits for a load job. */
const WAIT_MS = 120_000;
const PAGE = 1000;
/** How far back a tick looks for a measurement. */
const MEASURED_WITHIN_MS = 2 * 86_400_000;

const nameOf = (uid: string): string => `headcounts_${uid}`;

const Labels = v.object({
  filled: v.optional(v.picklist(["begun", "done"])),
  filled_before: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number))),
});
const Listed = v.object({ labels: v.optional(Labels, {}) });

/** Opens the tables. It uses one load job per tick and table. */
export function openCustomerTables(config: Config): CustomerTables {
  const bigquery = bigqueryClient(config);
  const regionOf = (dataset: CustomerDataset): string => (dataset === "realtime_eu" ? "EU" : config.region);
  const tableOf = (dataset: CustomerDataset, uid: string) => bigquery.dataset(dataset).table(nameOf(uid), { location: regionOf(dataset) });
  return {
    list: async () => (await Promise.all(CUSTOMER_DATASETS.map((dataset) => listDataset(bigquery, dataset)))).flat(),
    of: async (uid) => {
      const found = await Promise.all(
        CUSTOMER_DATASETS.map(async (dataset) => {
          try {
            const [metadata] = await tableOf(dataset, uid).getMetadata();
            return [{ dataset, uid, fill: fillOf(metadata) }];
          } catch (error) {
            if (isNotFound(error)) return [];
            throw error;
          }
        }),
      );
      return found.flat();
    },
    load: async ({ dataset, uid }, jobId, rows, shutdownSignal) => {
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      const append = { writeDisposition: "WRITE_APPEND", createDisposition: "CREATE_NEVER" } as const;
      let isNew = true;
      try {
        await upload(tableOf(dataset, uid).createWriteStream({ sourceFormat: "NEWLINE_DELIMITED_JSON", ...append, jobId }), lines);
      } catch (error) {
        if (classifyError(error) !== "alreadyExists") throw error;
        isNew = false;
      }
      const job = bigquery.job(jobId, { location: regionOf(dataset) });
      // A request that gets no answer ends with the wait, too.
      const outcome = await withTimeout(abortable(awaitLoad(job, WAIT_MS, shutdownSignal), shutdownSignal), WAIT_MS);
      if (outcome.state === "running") throw new Error(`The load ${jobId} takes longer than ${WAIT_MS} ms`);
      if (outcome.state === "done") return { state: "done" };
      return { state: "failed", isMissing: outcome.reason === "notFound", isNew, message: outcome.message };
    },
    held: async (table, rows) => {
      const warehouse = openWarehouse({ ...config, region: regionOf(table.dataset) });
      return warehouse.query(heldStatement(table, rows), { customer: table.uid, purpose: "refresh" });
    },
    setFill: async ({ dataset, uid }, { before, isDone }) => {
      const labels = { filled: isDone ? "done" : "begun", filled_before: String(before.getTime()) };
      await tableOf(dataset, uid).setMetadata({ labels });
    },
    drop: async (uid) => {
      let dropped = 0;
      for (const dataset of CUSTOMER_DATASETS) {
        try {
          await tableOf(dataset, uid).delete();
          dropped++;
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }
      return dropped;
    },
  };
}

/** Returns a query of what a customer's table has from the first to the last of the ticks of these rows. A tick reads measurements of two days. */
export function heldStatement(
  { dataset, uid }: Pick<CustomerTable, "dataset" | "uid">,
  rows: readonly Pick<HeadcountRow, "tick">[],
): Statement<HeldRow> {
  const ticks = rows.map(({ tick }) => Date.parse(tick));
  const at = (time: number) => ({ type: "TIMESTAMP" as const, value: new Date(time).toISOString() });
  const [first, last] = [Math.min(...ticks), Math.max(...ticks)];
  return statement(
    HeldRow,
    `SELECT tick, target_id
FROM \`${dataset}.${nameOf(uid)}\`
WHERE tick >= @first AND tick <= @last AND timestamp > @oldest AND timestamp <= @last`,
    { first: at(first), last: at(last), oldest: at(first - MEASURED_WITHIN_MS) },
  );
}

async function listDataset(bigquery: ReturnType<typeof bigqueryClient>, dataset: CustomerDataset): Promise<CustomerTable[]> {
  const [tables] = await bigquery.dataset(dataset).getTables({ maxResults: PAGE });
  return tables.flatMap(({ id, metadata }) => {
    const uid = /^headcounts_([a-z0-9]+)$/.exec(id ?? "")?.[1];
    return uid === undefined ? [] : [{ dataset, uid, fill: fillOf(metadata) }];
  });
}

function fillOf(metadata: unknown): Fill | undefined {
  const { filled, filled_before } = v.parse(Listed, metadata).labels;
  return filled === undefined || filled_before === undefined ? undefined : { before: new Date(filled_before), isDone: filled === "done" };
}

function upload(stream: NodeJS.WritableStream, content: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("job", () => resolve());
    stream.end(content);
  });
}

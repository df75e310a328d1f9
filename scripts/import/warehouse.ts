import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { awaitLoad } from "../../shared/google/await-load.ts";
import { clientQuery } from "../../shared/google/bigquery.ts";
import { type Column, columnsOf } from "../../shared/google/columns.ts";
import { rowsOf, type Statement } from "../../shared/google/statement.ts";
import { datasetOf, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { ImportError } from "./import-error.ts";
import type { Target } from "./target.ts";

const BYTES_BILLED_MAX = 2 ** 40;
/** Longer than any load job lives: BigQuery ends one after six hours. */
const LOAD_MS_MAX = 7 * 3_600_000;
const ATTEMPTS_MAX = 5;
const WAIT_MS = 1000;

/** Returns the current columns of the table that a load writes. Throws an ImportError if the table does not exist. */
export async function tableColumns({ bigquery }: Target, table: LoadedTable): Promise<readonly Column[]> {
  try {
    const [metadata] = await bigquery.dataset(datasetOf(table)).table(table.name).getMetadata();
    return columnsOf(metadata);
  } catch (error) {
    if (!isFault(error, "notFound")) throw error;
    throw new ImportError(`The project ${bigquery.projectId} has no table ${datasetOf(table)}.${table.name}: apply infra/warehouse first`);
  }
}

/** Runs a statement or a script and returns its rows. Retries a transaction that BigQuery aborted because of a concurrent one. */
export async function query<Row>(
  { bigquery, location }: Target,
  statement: Statement<Row>,
  labels: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  const options = {
    ...clientQuery(statement),
    location,
    labels: { ...labels },
    maximumBytesBilled: String(BYTES_BILLED_MAX),
  };
  return repeatOnConflict(
    async () => {
      const [job] = await bigquery.createQueryJob(options);
      const [rows] = await job.getQueryResults({ wrapIntegers: false });
      return rowsOf(statement, rows);
    },
    (attempt) => new Promise((resolve) => setTimeout(resolve, attempt * WAIT_MS * (1 + Math.random()))),
  );
}

/** Retries `work` after `pause` if BigQuery aborted its transaction because of a concurrent one; an aborted transaction stores nothing. */
export async function repeatOnConflict<Result>(work: () => Promise<Result>, pause: (attempt: number) => Promise<void>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof Error && /aborted due to concurrent update|could not serialize/i.test(error.message);
      if (!isConflict || attempt === ATTEMPTS_MAX) throw error;
      await pause(attempt);
    }
  }
}

/**
 * Loads a Parquet file into a new staging table and calls `work` with its name (`staging.import_…`). Deletes the table afterwards, also if
 * `work` fails, and what a failed script left under names that begin with it. A table left by a crash expires after a day.
 */
export async function withStaged<Result>(
  { bigquery }: Target,
  parquet: string,
  columns: readonly Column[],
  work: (staging: string) => Promise<Result>,
): Promise<Result> {
  const name = `import_${randomUUID().replaceAll("-", "_")}`;
  const table = bigquery.dataset("staging").table(name);
  const fields = columns.map((column) => ({
    name: column.name,
    type: column.type === "GEOGRAPHY" ? "STRING" : column.type,
    mode: "NULLABLE",
  }));
  try {
    const [job] = await table.createLoadJob(parquet, { sourceFormat: "PARQUET", schema: { fields }, writeDisposition: "WRITE_EMPTY" });
    const loaded = await awaitLoad(job, LOAD_MS_MAX);
    if (loaded.state !== "done")
      throw new Error(loaded.state === "failed" ? loaded.message : `The load ${job.id} has not ended after seven hours`);
    return await work(`staging.${name}`);
  } catch (error) {
    const [tables] = await bigquery.dataset("staging").getTables();
    await Promise.all(tables.filter(({ id }) => id?.startsWith(`${name}_`)).map((left) => left.delete({ ignoreNotFound: true })));
    throw error;
  } finally {
    await table.delete({ ignoreNotFound: true });
  }
}

const Fault = v.object({ errors: v.array(v.object({ reason: v.optional(v.string()) })) });

function isFault(error: unknown, reason: string): boolean {
  const parsed = v.safeParse(Fault, error);
  return parsed.success && parsed.output.errors.some((item) => item.reason === reason);
}

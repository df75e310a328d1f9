import type { Warehouse } from "../google/bigquery.ts";
import type { Column } from "../google/columns.ts";
import type { LandedObject, LandingBucket } from "../google/landing-bucket.ts";
import type { LoadJobs } from "../google/load-jobs.ts";
import type { Statement } from "../google/statement.ts";
import { type LoadedBatch, loadedBatchesStatement } from "../publishing/ledger.ts";
import { loadStatement } from "../publishing/load.ts";
import type { FactLoad } from "../publishing/staged-load.ts";
import type { InTurn } from "../runtime/in-turn.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import { type BatchPlan, batchId, broughtColumns, checksumOf, formatOf, loadOf, refuseUnloadable } from "./batch.ts";
import { BadBatch } from "./batch-fault.ts";
import { refuseChangedTypes } from "./changed-types.ts";
import { arrangeStatement, type FaultyRow, faultsStatement, requiredColumns } from "./check-statements.ts";
import { followDays, refuseDaysWithoutHours } from "./days-and-hours.ts";
import { headerOf } from "./header.ts";
import { inAttempts } from "./job-attempts.ts";
import { faultsOfLoad } from "./load-errors.ts";
import { locateRows } from "./locate-rows.ts";

/** What loading a batch needs. */
export interface LoadContext {
  readonly bucket: LandingBucket;
  readonly loads: LoadJobs;
  readonly warehouse: Warehouse;
  /** Whose jobs these are: an account cannot see the jobs of another, so each has ids and staging tables of its own. */
  readonly by: "arrival" | "backfill";
  /** Loads of one table are published one after the other: BigQuery cancels one of two transactions that change a table. */
  readonly inTurn: InTurn;
  /** How long to wait for a job, in milliseconds. */
  readonly waitMs: number;
  readonly shutdownSignal: AbortSignal;
}

/** What became of a batch: loaded as this version of its raw rows, or there already. */
export interface LoadedAs {
  readonly state: "loaded" | "current";
  readonly version: number;
}

const ROUNDS_MAX = 3;

/**
 * Loads a batch by one load job and publishes it in one transaction, unless its newest load is of the same files. Every job has an id that follows from
 * the batch, so what runs twice does one load. Throws a BadBatch for files that are not right; `StillRunning` if a job takes longer than the wait. What
 * was published before stays in both cases.
 */
export async function loadBatch(context: LoadContext, plan: BatchPlan, files: readonly LandedObject[]): Promise<LoadedAs> {
  const format = formatOf(files);
  refuseUnloadable(files);
  const checksum = checksumOf(plan, files, await geographiesVersion(context, plan));
  let state: LoadedAs["state"] = "current";
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const newest = await newestLoad(context, plan);
    const version = newest?.version ?? 0;
    if (newest?.checksum === checksum) return { state, version };
    try {
      await loadOnce(context, plan, { files, format, checksum, id: `${batchId(plan.folder, checksum, version + 1)}_${context.by}` });
    } catch (error) {
      // Another delivery that ran the same jobs was faster, and has removed their tables.
      const after = error instanceof BadBatch ? undefined : await newestLoad(context, plan);
      if (after?.checksum === checksum) return { state, version: after.version };
      throw error;
    }
    state = "loaded";
  }
  throw new Error(`Several loads of ${plan.table.name} ${plan.folder.date} ${plan.country.code} run at once`);
}

interface Loading {
  readonly files: readonly LandedObject[];
  readonly format: "CSV" | "PARQUET";
  readonly checksum: string;
  readonly id: string;
}

/** Loads and publishes a batch. Its staging tables stay after an error that is not of its files: the same jobs can go on with them. */
async function loadOnce(context: LoadContext, plan: BatchPlan, loading: Loading): Promise<void> {
  const columns = broughtColumns(plan.table, await context.loads.columns("intake", plan.table.name));
  const given = await givenColumns(context, plan, loading, columns);
  const tables = { loaded: loading.id, rows: `${loading.id}_rows` };
  const bad = await loadByStaging(context, plan, { ...loading, columns, given, tables }).catch((error: unknown) => {
    if (error instanceof BadBatch) return error;
    throw error;
  });
  await context.loads.drop(Object.values(tables));
  if (bad) throw bad;
}

interface Staging extends Loading {
  /** The columns of the batch. */
  readonly columns: readonly Column[];
  /** Those of them that the files hold. */
  readonly given: readonly Column[];
  /** What the files hold, and the batch's rows that are made of it. */
  readonly tables: { readonly loaded: string; readonly rows: string };
}

/** Loads the files, makes the batch's rows of them, checks these and publishes them. Throws a BadBatch for files that are not right. */
async function loadByStaging(context: LoadContext, plan: BatchPlan, staging: Staging): Promise<void> {
  const { id, format, checksum, columns, given, tables } = staging;
  await stage(context, plan, staging);
  const batch = { ...plan, columns, rows: `staging.${tables.rows}`, date: plan.folder.date };
  const files = { given: given.map(({ name }) => name), format };
  await run(context, `${id}_arrange`, arrangeStatement(batch, `staging.${tables.loaded}`, files), plan);
  const faults = await context.warehouse.query(faultsStatement(batch), labelsOf(plan));
  if (faults.length > 0) throw await badRows(context, plan, staging, faults);
  await publish(context, plan, id, loadOf(plan, batch.rows, columns, checksum));
}

/** Returns the columns that the files hold: of CSV those of the header, of Parquet all. */
async function givenColumns(
  { bucket }: LoadContext,
  { table }: BatchPlan,
  { files, format }: Loading,
  columns: readonly Column[],
): Promise<readonly Column[]> {
  const required = requiredColumns({ table, columns });
  if (format === "CSV") return headerOf(bucket, files, columns, required);
  return columns.map((one) => ({ ...one, required: required.includes(one.name) }));
}

async function publish(context: LoadContext, plan: BatchPlan, id: string, load: FactLoad): Promise<void> {
  const { inTurn, warehouse } = context;
  await inTurn(plan.table.name, async () => {
    await refuseDaysWithoutHours(warehouse, load, labelsOf(plan));
    await refuseChangedTypes(warehouse, load, labelsOf(plan));
    const finish = await followDays(warehouse, load, labelsOf(plan));
    await run(context, `${id}_publish`, loadStatement(load), plan);
    await finish();
  });
}

/** Loads the files into a staging table of the batch's own, which no other load writes: BigQuery's limit of 1,500 loads a table and day is never near. */
async function stage(
  { bucket, loads, waitMs, shutdownSignal }: LoadContext,
  plan: BatchPlan,
  { files, format, id, given, tables }: Staging,
): Promise<void> {
  const uris = files.map(({ name }) => `gs://${bucket.name}/${name}`);
  const outcome = await inAttempts(`${id}_load`, async (jobId) => {
    await loads.start(jobId, { table: tables.loaded, uris, format, columns: given }, labelsOf(plan));
    return loads.wait(jobId, waitMs, shutdownSignal);
  });
  if (outcome.state === "failed") {
    if (!FAULTS_OF_FILES.includes(outcome.reason)) throw new Error(`The load ${id} failed: ${outcome.reason}`);
    throw new BadBatch(faultsOfLoad(outcome.errors, format));
  }
  // A load of no rows would be in no ledger, and be repeated without end.
  if (outcome.rows === 0)
    throw new BadBatch([{ file: undefined, line: undefined, says: "The files have no rows", right: "one row or more" }]);
}

/**
 * Why a load job fails for its files, at each attempt: resources are exceeded by a page or a row of Parquet that is too large.
 * Source: https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-parquet
 */
const FAULTS_OF_FILES: readonly string[] = ["invalid", "resourcesExceeded"];

async function run({ warehouse, waitMs, shutdownSignal }: LoadContext, id: string, statement: Statement, plan: BatchPlan): Promise<void> {
  const outcome = await inAttempts(id, async (jobId) => {
    await warehouse.start(jobId, statement, labelsOf(plan));
    return warehouse.wait(jobId, statement, waitMs, shutdownSignal);
  });
  if (shutdownSignal.aborted) throw new ShuttingDown();
  if (outcome.state === "failed") throw new Error(`The job ${id} failed: ${outcome.reason}`);
}

/** Says of each faulty row where it stands: of CSV the line. Rows of Parquet have no lines, and are told by their keys. */
async function badRows(
  { bucket }: LoadContext,
  { table }: BatchPlan,
  { files, format }: Loading,
  rows: readonly FaultyRow[],
): Promise<BadBatch> {
  const keys = rows.map(({ row_key }) => new Map(table.key.map((name, index) => [name, row_key[index] ?? ""])));
  const places = format === "CSV" ? await locateRows(bucket, files, keys) : [];
  const faults = rows.map(({ column_name: column, value, says, correct }, index) => {
    const place = places[index];
    const key = place ? "" : ` (${[...(keys[index] ?? [])].map(([name, of]) => `${name} ${of}`).join(", ")})`;
    return { file: place?.file, line: place?.line, says: `column ${column}: ${JSON.stringify(value ?? "")} ${says}${key}`, right: correct };
  });
  return new BadBatch(faults, rows[0]?.total);
}

/** Returns the newest load of a batch, with an empty checksum if it must be loaded again: two at once may have doubled its rows, or they have left `intake`. */
async function newestLoad({ warehouse }: LoadContext, plan: BatchPlan): Promise<Pick<LoadedBatch, "version" | "checksum"> | undefined> {
  const days = { first: plan.folder.date, last: plan.folder.date };
  const statement = loadedBatchesStatement({ table: plan.table.name, countries: [plan.country.loaded], days });
  const [newest, ...doubles] = await warehouse.query(statement, labelsOf(plan));
  if (!newest) return undefined;
  return doubles.length > 0 || newest.has_left ? { ...newest, checksum: "" } : newest;
}

/** What is published depends on the geographies. */
async function geographiesVersion({ warehouse }: LoadContext, plan: BatchPlan): Promise<number> {
  const statement = loadedBatchesStatement({ table: "geographies", countries: [plan.country.loaded], days: undefined });
  const [newest] = await warehouse.query(statement, labelsOf(plan));
  return newest?.version ?? 0;
}

function labelsOf({ table }: BatchPlan) {
  return { customer: "all", table: table.name };
}

import { createHash } from "node:crypto";
import type { TableInfo, TableRef } from "../model.ts";
import type { Job, JobReference } from "./job.ts";
import { JOB_KEPT_MS, type JobStore } from "./job-store.ts";
import type { ResultSet } from "./results.ts";

/** Names of anonymous datasets begin so, and no others do. */
const DATASET = "_";
const TABLE = "anon";

/** A query that has ended, and its rows. */
export interface Answered {
  readonly job: Job;
  readonly rows: ResultSet;
}

/** Whether a dataset is one of those that hold queries' results, by its name. */
export function isResultDataset(dataset: string): boolean {
  return /^_[0-9a-f]{40}$/.test(dataset);
}

/** Returns the hidden dataset of the results of whoever has this e-mail. */
export function resultDataset(owner: string): string {
  return `${DATASET}${createHash("sha1").update(owner).digest("hex")}`;
}

/**
 * Returns the table that BigQuery keeps a query's rows in for a day, in a hidden dataset of whoever ran it: clients read it page by page. Here it
 * is the job itself, by another name. Undefined for a job without rows. Source: https://cloud.google.com/bigquery/docs/cached-results
 */
export function resultTable({ reference, owner, work }: Job): TableRef | undefined {
  if (work.kind !== "QUERY" || work.statistics.statementType !== "SELECT" || work.statistics.dryRun) return undefined;
  const table = `${TABLE}${Buffer.from(`${reference.location} ${reference.id}`).toString("hex")}`;
  return { project: reference.project, dataset: resultDataset(owner), table };
}

/** Returns the job whose rows a table name stands for, or undefined for another table. */
export function jobOfResultTable({ project, dataset, table }: TableRef): JobReference | undefined {
  if (!dataset.startsWith(DATASET) || !table.startsWith(TABLE)) return undefined;
  const [location = "", id = ""] = Buffer.from(table.slice(TABLE.length), "hex").toString().split(" ");
  return { project, location, id };
}

/** Returns the query whose rows a table stands for, to who ran it within the last day. Undefined for others, and for another table. */
export function resultOf(jobs: JobStore, email: string, ref: TableRef, now: number): Answered | undefined {
  const reference = jobOfResultTable(ref);
  const job = reference && jobs.get(reference);
  const name = job && resultTable(job);
  if (!job?.result || job.owner !== email || job.endTime === undefined || job.endTime + JOB_KEPT_MS <= now) return undefined;
  const isThat = name?.project === ref.project && name.dataset === ref.dataset && name.table === ref.table;
  return isThat ? { job, rows: job.result } : undefined;
}

/** Returns a query's rows as a table that statements can read, once they are in their file. */
export function resultTableInfo({ rows }: Answered, ref: TableRef): TableInfo {
  return { ref, fields: rows.fields, requirePartitionFilter: false, clustering: [], source: rows.source() };
}

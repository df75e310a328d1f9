import { createHash } from "node:crypto";
import { BigQueryError, type TableRef } from "../model.ts";
import type { Job, JobReference } from "./job.ts";

/** Names of anonymous datasets begin so, and no others do. */
const DATASET = "_";
const TABLE = "anon";

/**
 * Returns the table that BigQuery keeps a query's rows in for a day, in a hidden dataset of whoever ran it: clients read it page by page. Here it
 * is the job itself, by another name. Undefined for a job without rows. Source: https://cloud.google.com/bigquery/docs/cached-results
 */
export function resultTable({ reference, owner, work }: Job): TableRef | undefined {
  if (work.kind !== "QUERY" || work.statistics.statementType !== "SELECT" || work.statistics.dryRun) return undefined;
  const dataset = `${DATASET}${createHash("sha1").update(owner).digest("hex")}`;
  const table = `${TABLE}${Buffer.from(`${reference.location} ${reference.id}`).toString("hex")}`;
  return { project: reference.project, dataset, table };
}

/** Returns the job whose rows a table name stands for, or undefined for another table. */
export function jobOfResultTable({ project, dataset, table }: TableRef): JobReference | undefined {
  if (!dataset.startsWith(DATASET) || !table.startsWith(TABLE)) return undefined;
  const [location = "", id = ""] = Buffer.from(table.slice(TABLE.length), "hex").toString().split(" ");
  return { project, location, id };
}

/**
 * Throws `invalidQuery` for a dataset of query results, by its name alone: the rows are not in the database, where a statement could read them.
 */
export function refuseResultTable(dataset: string): void {
  if (/^_[0-9a-f]{40}$/.test(dataset))
    throw new BigQueryError(
      "invalidQuery",
      `Querying the result of an earlier query, a table of ${dataset}, is not supported by the local BigQuery. Repeat that query as a subquery or in WITH.`,
      "query",
    );
}

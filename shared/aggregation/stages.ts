import type { Statement } from "../google/statement.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PreparedRequest } from "../products/product.ts";
import { exportStatement, type ProductQuery, rowsStatement, summaryStatement } from "../products/product-query.ts";
import type { SummaryRow } from "../products/summary.ts";
import { exportLocationOf } from "./export-manifest.ts";
import { partPrefix } from "./export-path.ts";
import type { Bills } from "./settle-bytes.ts";
import { warehouseJobIds } from "./warehouse-job-ids.ts";

/** One statement of an attempt, under the id of its warehouse job. */
export interface Stage<Row> {
  readonly id: string;
  readonly statement: Statement<Row>;
}

/** The statements of an attempt, in order. That of an export follows its summary. */
export interface AttemptStages {
  readonly summary: Stage<SummaryRow>;
  readonly files: ((summary: SummaryRow) => Stage<never>) | undefined;
}

/**
 * Returns the stages of an attempt. The summary returns the data versions that it read, and the export writes rows of these versions only. If a
 * load came in between, it writes none, which `isExported` tells by their number: so the manifest describes the data in the files.
 */
export function attemptStages(job: Job, query: ProductQuery, bucket: string): AttemptStages {
  const ids = warehouseJobIds(job);
  const { full, format } = job.request;
  const summary = { id: ids.summary, statement: summaryStatement(query, full ? "none" : "first") };
  if (!full) return { summary, files: undefined };
  const target = { format, bucket, prefix: partPrefix(exportLocationOf(job), job.attempt) };
  return { summary, files: ({ data_versions }) => ({ id: ids.exported, statement: exportStatement(query, data_versions, target) }) };
}

/** Returns whether an attempt's export has written all rows of its summary. No rows are right for any version that has none. */
export function isExported(job: Job, summary: SummaryRow, bills: Bills): boolean {
  return bills.get(warehouseJobIds(job).exported)?.exportedRows === summary.total_rows;
}

/** Returns statements for a dry run that read the same data as the stages of this request's job. */
export function costlyStatements({ request, query }: PreparedRequest): readonly Statement[] {
  const all = query();
  if (!request.full) return [summaryStatement(all, "first")];
  return [summaryStatement(all, "none"), rowsStatement(all, [])];
}

import type { Statement } from "../google/statement.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PreparedRequest } from "../products/product.ts";
import { dataVersionsStatement, exportStatement, type ProductQuery, rowsStatement, summaryStatement } from "../products/product-query.ts";
import type { DataVersionsRow, SummaryRow } from "../products/summary.ts";
import { warehouseJobIds } from "./clean-up.ts";
import { exportLocationOf } from "./export-manifest.ts";
import { partPrefix } from "./export-path.ts";

/** One statement of an attempt, under the id of its warehouse job. */
export interface Stage<Row> {
  readonly id: string;
  readonly statement: Statement<Row>;
}

/** The statements of an attempt in their order. Those of an export follow on its summary. */
export interface AttemptStages {
  readonly summary: Stage<SummaryRow>;
  readonly full: { readonly files: Stage<never>; readonly dataVersions: Stage<DataVersionsRow> } | undefined;
}

/**
 * The stages of an attempt. An export lies between the summary, which tells the data versions that it saw, and a second look at the ledger:
 * when both tell the same, no load came in between and the manifest tells of the data that is in the files.
 */
export function attemptStages(job: Job, query: ProductQuery, bucket: string): AttemptStages {
  const ids = warehouseJobIds(job);
  const { full, format } = job.request;
  const summary = { id: ids.summary, statement: summaryStatement(query, full ? "none" : "first") };
  if (!full) return { summary, full: undefined };
  const files = exportStatement(query, format, bucket, partPrefix(exportLocationOf(job), job.attempt));
  const dataVersions = dataVersionsStatement(query);
  return { summary, full: { files: { id: ids.exported, statement: files }, dataVersions: { id: ids.ledger, statement: dataVersions } } };
}

/** Statements that read what the stages of a job of this request would read, for a dry run. */
export function costlyStatements({ request, query }: PreparedRequest): readonly Statement[] {
  const all = query();
  if (!request.full) return [summaryStatement(all, "first")];
  return [summaryStatement(all, "none"), rowsStatement(all), dataVersionsStatement(all)];
}

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

/** The statements of an attempt, in order. Those of an export follow its summary. */
export interface AttemptStages {
  readonly summary: Stage<SummaryRow>;
  readonly full: { readonly files: Stage<never>; readonly dataVersions: Stage<DataVersionsRow> } | undefined;
}

/**
 * Returns the stages of an attempt. The export runs between the summary, which returns the data versions it read, and a second read of the
 * ledger. If both agree, no load came in between, and the manifest describes the data in the files.
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

/** Returns statements for a dry run that read the same data as the stages of this request's job. */
export function costlyStatements({ request, query }: PreparedRequest): readonly Statement[] {
  const all = query();
  if (!request.full) return [summaryStatement(all, "first")];
  return [summaryStatement(all, "none"), rowsStatement(all), dataVersionsStatement(all)];
}

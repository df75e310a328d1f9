import type { CountryRules } from "../countries/country-rules.ts";
import type { Statement } from "../google/statement.ts";
import type { AggregationRequest } from "../jobs/job-fields.ts";
import type { Job } from "../jobs/jobs.ts";
import { productQuery } from "../products/catalogue.ts";
import { dataVersionsStatement, exportStatement, type ProductQuery, rowsStatement, summaryStatement } from "../products/statements.ts";
import { warehouseJobIds } from "./clean-up.ts";
import { exportLocationOf } from "./export-manifest.ts";
import { partPrefix } from "./export-path.ts";
import type { Stage } from "./run-attempt.ts";

/**
 * The stages of an attempt. An export lies between the summary, which tells the data versions that it saw, and a second look at the ledger:
 * when both tell the same, no load came in between and the manifest tells of the data that is in the files.
 */
export function attemptStages(job: Job, query: ProductQuery, bucket: string): Stage[] {
  const ids = warehouseJobIds(job);
  const { full, format } = job.request;
  const summary = { id: ids.summary, statement: summaryStatement(query, full ? "none" : "first") };
  if (!full) return [summary];
  const exported = exportStatement(query, format, bucket, partPrefix(exportLocationOf(job), job.attempt));
  return [summary, { id: ids.exported, statement: exported }, { id: ids.ledger, statement: dataVersionsStatement(query) }];
}

/** Statements that read what the stages of a job of this request would read, for a dry run. */
export function costlyStatements(request: AggregationRequest, rules: CountryRules): Statement[] {
  const query = productQuery(request, rules);
  if (!request.full) return [summaryStatement(query, "first")];
  return [summaryStatement(query, "none"), rowsStatement(query), dataVersionsStatement(query)];
}

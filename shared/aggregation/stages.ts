import type { CountryRules } from "../domain/country-rules.ts";
import { partPrefix } from "../domain/export-path.ts";
import type { AggregationRequest } from "../schemas/job.ts";
import type { Job } from "../stores/jobs.ts";
import { productQuery } from "../warehouse/aggregation.ts";
import { dataVersionsStatement, exportStatement, type ProductQuery, rowsStatement, summaryStatement } from "../warehouse/product.ts";
import type { Statement } from "../warehouse/statement.ts";
import type { Stage } from "./attempt.ts";
import { placeOf } from "./export-manifest.ts";
import { warehouseJobIds } from "./leftovers.ts";

/**
 * The stages of an attempt. An export lies between the summary, which tells the data versions that it saw, and a second look at the ledger:
 * when both tell the same, no load came in between and the manifest tells of the data that is in the files.
 */
export function stagesOf(job: Job, query: ProductQuery, bucket: string): Stage[] {
  const ids = warehouseJobIds(job);
  const { full, format } = job.request;
  const summary = { id: ids.summary, statement: summaryStatement(query, full ? "none" : "first") };
  if (!full) return [summary];
  const exported = exportStatement(query, format, bucket, partPrefix(placeOf(job), job.attempt));
  return [summary, { id: ids.exported, statement: exported }, { id: ids.ledger, statement: dataVersionsStatement(query) }];
}

/** Statements that read what the stages of a job of this request would read, for a dry run. */
export function costlyStatements(request: AggregationRequest, rules: CountryRules): Statement[] {
  const query = productQuery(request, rules);
  if (!request.full) return [summaryStatement(query, "first")];
  return [summaryStatement(query, "none"), rowsStatement(query), dataVersionsStatement(query)];
}

import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { PreparedRequest, Preview } from "../products/product.ts";
import { summaryStatement } from "../products/product-query.ts";
import { clippedAt, warningsOf } from "../products/result-warnings.ts";
import { metaOf } from "../products/summary.ts";

const DAY_MS = 86_400_000;

/** Returns a preview: every row of the first 24 hours of the window, with the window as requested. */
export async function previewOf(prepared: PreparedRequest, warehouse: Pick<Warehouse, "queryOne">, labels: Labels): Promise<Preview> {
  const { agg_type, country_code, start_time, end_time } = prepared.request;
  const dayEnd = new Date(Date.parse(start_time) + DAY_MS).toISOString();
  const truncated = end_time > dayEnd;
  const query = prepared.queryUntil(truncated ? dayEnd : end_time);
  const summary = await warehouse.queryOne(summaryStatement(query, "all"), labels);
  const window = { start_time, end_time, truncated };
  const results = summary.preview ?? [];
  const meta = metaOf(summary, prepared.country);
  const warnings = [...(truncated ? [clippedAt(dayEnd)] : []), ...warningsOf(query, summary, prepared.country)];
  return { agg_type, country_code, ...prepared.previewFields, ...window, results, meta, data_versions: summary.data_versions, warnings };
}

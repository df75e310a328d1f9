import type { Labels, Warehouse } from "../google/bigquery.ts";
import { productOf } from "../products/catalogue.ts";
import type { PreparedRequest, Preview } from "../products/product.ts";
import { summaryStatement } from "../products/product-query.ts";
import { clippedAt, leftOut, warningsOf } from "../products/result-warnings.ts";
import { metaOf } from "../products/summary.ts";

/** Returns a preview: the rows of the first day of the window, with the window as requested. */
export async function previewOf(prepared: PreparedRequest, warehouse: Pick<Warehouse, "queryOne">, labels: Labels): Promise<Preview> {
  const { agg_type, country_code, start_time, end_time } = prepared.request;
  const { span, spanEnd, query, members } = prepared.preview();
  const summary = await warehouse.queryOne(summaryStatement(query, "all"), labels);
  const isClipped = end_time > spanEnd;
  const [shown, total] = [summary.preview?.length ?? 0, summary.total_rows];
  const warnings = [
    ...(isClipped ? [clippedAt(spanEnd, span)] : []),
    ...(shown < total ? [leftOut(shown, total)] : []),
    ...warningsOf(query, summary, prepared.country),
  ];
  return {
    agg_type,
    country_code,
    start_time,
    end_time,
    truncated: isClipped || shown < total,
    ...members(summary),
    meta: metaOf(summary, prepared.country, productOf(prepared.request).step(prepared.country)),
    data_versions: summary.data_versions,
    warnings,
  };
}

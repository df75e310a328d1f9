import type { Labels, Warehouse } from "../google/bigquery.ts";
import { productOf } from "../products/catalogue.ts";
import type { PreparedRequest, Preview } from "../products/product.ts";
import { previewStatement } from "../products/product-query.ts";
import { clippedAt, leftOut, warningsOf } from "../products/result-warnings.ts";
import { metaOf } from "../products/summary.ts";

/** The rows that a preview may have without a turn. */
const BRIEF_ROWS_MAX = 10_000;

interface PreviewContext {
  readonly warehouse: Pick<Warehouse, "queryOne">;
  readonly labels: Labels;
  /** Waits until a preview of many rows may begin. */
  readonly turn: () => Promise<void>;
}

/** Returns a preview: the rows of the first day of the window, with the window as requested. */
export async function previewOf(prepared: PreparedRequest, { warehouse, labels, turn }: PreviewContext): Promise<Preview> {
  const { agg_type, country_code, start_time, end_time } = prepared.request;
  const { span, spanEnd, query, members, rowsMax } = prepared.preview();
  if ((await rowsMax(uncounted)) > BRIEF_ROWS_MAX) await turn();
  const summary = await warehouse.queryOne(previewStatement(query), labels);
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

/** Instead of a query of the number of geographies: a preview of all of a type may have any number of rows. */
async function uncounted(): Promise<number> {
  return Number.POSITIVE_INFINITY;
}

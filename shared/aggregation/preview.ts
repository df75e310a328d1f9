import * as v from "valibot";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import type { AggregationRequest } from "../jobs/job-fields.ts";
import { ActivitiesRow } from "../products/activities-schemas.ts";
import { productQuery } from "../products/catalogue.ts";
import { FlowRow } from "../products/flow-schemas.ts";
import { summaryStatement } from "../products/statements.ts";
import { metaOf, SummaryRow } from "../products/summary.ts";

const DAY_MS = 86_400_000;

/** The answer to a preview: every row of the first 24 hours of the window, with the window as it was asked for. */
export async function previewOf(
  request: AggregationRequest,
  table: CountryTable,
  warehouse: Warehouse,
  labels: Readonly<Record<string, string>>,
) {
  const rules = table[request.country_code];
  if (request.agg_type === "odm") throw new Error("The schema of previews takes no odm");
  if (!rules) throw new Error(`${request.country_code} was accepted and has no rules`);
  const { country_code, start_time, end_time } = request;
  const dayEnd = new Date(Date.parse(start_time) + DAY_MS).toISOString();
  const truncated = end_time > dayEnd;
  const query = productQuery({ ...request, end_time: truncated ? dayEnd : end_time }, rules);
  const [row] = await warehouse.query(summaryStatement(query, "all"), labels);
  const summary = v.parse(SummaryRow, row);
  const { data_versions } = summary;
  const common = { country_code, start_time, end_time, truncated, meta: metaOf(summary, rules), data_versions };
  const rows = summary.preview ?? [];
  if (request.agg_type === "activities") return { agg_type: request.agg_type, ...common, results: v.parse(v.array(ActivitiesRow), rows) };
  const { agg_type, lat, lon } = request;
  return { agg_type, lat, lon, ...common, results: v.parse(v.array(FlowRow), rows) };
}

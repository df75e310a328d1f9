import * as v from "valibot";
import { DataVersion, type ResultMeta } from "../aggregation/schemas.ts";
import type { CountryRules } from "../countries/country-rules.ts";

/** The row of `dataVersionsStatement`. */
export const DataVersionsRow = v.object({ data_versions: v.array(DataVersion) });

/** The row of `summaryStatement`. */
export const SummaryRow = v.object({
  ...DataVersionsRow.entries,
  total_rows: v.number(),
  suppressed_rows: v.number(),
  unknown_ids: v.array(v.number()),
  preview: v.optional(v.nullable(v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))))),
});
export type SummaryRow = v.InferOutput<typeof SummaryRow>;

/** What was withheld and why. */
export function metaOf({ suppressed_rows, unknown_ids }: SummaryRow, { k }: CountryRules): ResultMeta {
  return { suppressed_rows, unknown_ids, k };
}

import * as v from "valibot";

/** The newest version of a batch in the ledger `mobility.batches`. `period` is its day or tick as text, or null if it has neither. */
export const LedgerRow = v.object({
  country_code: v.string(),
  period: v.nullable(v.string()),
  version: v.number(),
  row_count: v.number(),
  suppressed_count: v.number(),
  checksum: v.string(),
});
export type LedgerRow = v.InferOutput<typeof LedgerRow>;

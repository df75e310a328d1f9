import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";

/** The upper bounds of what a job reads, returns and costs. */
export const EstimateResponse = v.pipe(
  v.strictObject({
    estimated_bytes_max: v.pipe(WholeNumber, v.description("Bytes that the warehouse would read at most, from a dry run")),
    estimated_rows_max: v.pipe(WholeNumber, v.description("Geographies × buckets, pairs × days, or hours × directions")),
    estimated_cost_max: v.pipe(
      v.strictObject({
        amount: v.pipe(v.number(), v.description("Price of the bytes that would be billed at most; each table counts as at least 10 MiB")),
        currency: v.string(),
      }),
      v.title("Money"),
    ),
  }),
  v.title("Estimate"),
);

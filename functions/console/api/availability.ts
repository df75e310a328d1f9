import * as v from "valibot";
import { call } from "./client.ts";

const Batch = v.object({
  dataset: v.string(),
  table_name: v.string(),
  batch_date: v.string(),
  total_rows: v.number(),
  last_modified_time: v.string(),
  geo_types: v.array(
    v.object({
      geo_type: v.string(),
      destination_geo_type: v.optional(v.string()),
      /** The share of people that no published value of the type counts; null if it is not told. */
      withheld_people_percent: v.nullable(v.number()),
    }),
  ),
});

/** A day that was loaded to a table. */
export type Batch = v.InferOutput<typeof Batch>;

/** Returns the days that there are, for a dataset or for all, oldest first. */
export async function fetchAvailability(country: string, first?: string, last?: string, dataset?: string): Promise<Batch[]> {
  const { results } = await call("data", "/data-availability", v.object({ results: v.array(Batch) }), {
    query: { country_code: country, start_time: first, end_time: last, dataset },
  });
  return results;
}

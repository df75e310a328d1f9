import * as v from "valibot";
import { call } from "./client.ts";

const Headcount = v.object({
  timestamp: v.string(),
  target_id: v.string(),
  result: v.picklist(["SUCCESS", "SUPPRESSED", "NO_DATA", "STALE", "OUT_OF_COVERAGE"]),
  subscriber_count: v.number(),
});

/** The newest headcount of a map. */
export type Headcount = v.InferOutput<typeof Headcount>;

export async function fetchHeadcounts(): Promise<Headcount[]> {
  const { rows } = await call("data", "/admin/realtime/data", v.object({ rows: v.array(Headcount) }));
  return rows;
}

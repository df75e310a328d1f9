import * as v from "valibot";
import { type Headcount, RESULTS } from "./headcount.ts";

const Instant = v.pipe(
  v.object({ value: v.string() }),
  v.transform(({ value }) => new Date(value).toISOString()),
);

/** A row of `realtime.headcounts` as the warehouse returns it. Times become ISO 8601 text. */
export const HeadcountRow = v.object({
  tick: Instant,
  timestamp: Instant,
  uid: v.string(),
  target_id: v.string(),
  target_name: v.string(),
  people_count: v.number(),
  result: v.picklist(RESULTS),
});

export type HeadcountRow = v.InferOutput<typeof HeadcountRow>;

/** Groups headcounts by customer. */
export function groupByCustomer(rows: readonly HeadcountRow[]): Map<string, Headcount[]> {
  const headcounts = new Map<string, Headcount[]>();
  for (const { uid, target_id, target_name, timestamp, people_count, result } of rows) {
    const own = headcounts.get(uid) ?? [];
    own.push({ targetId: target_id, targetName: target_name, timestamp: new Date(timestamp), peopleCount: people_count, result });
    headcounts.set(uid, own);
  }
  return headcounts;
}

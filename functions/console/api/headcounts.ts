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

const Past = v.object({ timestamp: v.string(), result: v.string(), subscriber_count: v.number() });

/** A past headcount of a map. */
export type PastHeadcount = v.InferOutput<typeof Past>;

/** The headcounts of a map since an instant, newest first. */
export async function fetchHistory(mapId: string, since: string): Promise<PastHeadcount[]> {
  const { rows } = await call("data", "/admin/realtime/history", v.object({ rows: v.array(Past) }), {
    query: { map_id: mapId, start_time: since, end_time: new Date(Date.now() + 60_000).toISOString(), limit: 1000 },
  });
  return rows;
}

export async function fetchHeadcounts(): Promise<Headcount[]> {
  const { rows } = await call("data", "/admin/realtime/data", v.object({ rows: v.array(Headcount) }));
  return rows;
}

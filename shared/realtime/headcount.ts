/** A measurement older than this is not shown as the present. */
export const STALE_AFTER_MS = 15 * 60_000;

/** What became of a measurement. */
export const RESULTS = ["SUCCESS", "SUPPRESSED", "NO_DATA", "STALE", "OUT_OF_COVERAGE"] as const;

/** How many people were in a monitored map at a measurement, or why that is not told. */
export interface Headcount {
  readonly targetId: string;
  readonly targetName: string;
  /** When the measurement was recorded. */
  readonly timestamp: Date;
  /** 0 unless `result` is SUCCESS. */
  readonly peopleCount: number;
  readonly result: (typeof RESULTS)[number];
}

/** A headcount as it is to be told now: what was measured too long ago is not shown as the present. */
export function markStale(headcount: Headcount, now: Date): Headcount {
  const isOld = now.getTime() - headcount.timestamp.getTime() > STALE_AFTER_MS;
  return isOld && headcount.result !== "OUT_OF_COVERAGE" ? { ...headcount, peopleCount: 0, result: "STALE" } : headcount;
}

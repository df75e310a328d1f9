/** A measurement older than this is stale. */
export const STALE_AFTER_MS = 15 * 60_000;

/** The possible results of a measurement. */
export const RESULTS = ["SUCCESS", "SUPPRESSED", "NO_DATA", "STALE", "OUT_OF_COVERAGE"] as const;

/** The number of people in a monitored map at a measurement, or why it is not available. */
export interface Headcount {
  readonly targetId: string;
  readonly targetName: string;
  /** When the measurement was recorded. */
  readonly timestamp: Date;
  /** 0 unless `result` is SUCCESS. */
  readonly peopleCount: number;
  readonly result: (typeof RESULTS)[number];
}

/** Returns the headcount, or a `STALE` one without a number if its measurement is too old. `OUT_OF_COVERAGE` stays. */
export function markStale(headcount: Headcount, now: Date): Headcount {
  const isOld = now.getTime() - headcount.timestamp.getTime() > STALE_AFTER_MS;
  return isOld && headcount.result !== "OUT_OF_COVERAGE" ? { ...headcount, peopleCount: 0, result: "STALE" } : headcount;
}

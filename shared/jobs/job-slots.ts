import { isWaiting, type JobState } from "./job-state.ts";

/** How many of a customer's jobs hold a place in work, and how many wait for one. */
export interface JobCounts {
  readonly running: number;
  readonly waiting: number;
}

/** A customer's counts after one of its jobs has moved; `before` is undefined for a new job. */
export function countsAfter({ running, waiting }: JobCounts, before: JobState | undefined, after: JobState): JobCounts {
  const held = before?.placed ? 1 : 0;
  const waited = before && isWaiting(before) ? 1 : 0;
  return { running: running - held + (after.placed ? 1 : 0), waiting: waiting - waited + (isWaiting(after) ? 1 : 0) };
}

/** How many waiting jobs could take a place now. */
export function freePlaces({ running, waiting }: JobCounts, runningMax: number): number {
  return Math.max(0, Math.min(waiting, runningMax - running));
}

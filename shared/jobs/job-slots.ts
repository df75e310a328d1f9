import { isWaitingForSlot, type JobState } from "./job-state.ts";

/** How many of a customer's jobs hold a slot, and how many wait for one. */
export interface SlotCounts {
  readonly running: number;
  readonly waiting: number;
}

/** Returns a customer's counts after one of its jobs has changed state. `before` is undefined for a new job. */
export function countsAfter({ running, waiting }: SlotCounts, before: JobState | undefined, after: JobState): SlotCounts {
  const held = before?.placed ? 1 : 0;
  const waited = before && isWaitingForSlot(before) ? 1 : 0;
  return { running: running - held + (after.placed ? 1 : 0), waiting: waiting - waited + (isWaitingForSlot(after) ? 1 : 0) };
}

/** Returns how many waiting jobs can take a slot now. */
export function freeSlots({ running, waiting }: SlotCounts, runningMax: number): number {
  return Math.max(0, Math.min(waiting, runningMax - running));
}

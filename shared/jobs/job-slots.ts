import { isWaitingForSlot, type JobState } from "./job-state.ts";

/** How many of a customer's jobs hold a place in work, and how many wait for one. */
export interface SlotCounts {
  readonly running: number;
  readonly waiting: number;
}

/** A customer's counts after one of its jobs has moved; `before` is undefined for a new job. */
export function countsAfter({ running, waiting }: SlotCounts, before: JobState | undefined, after: JobState): SlotCounts {
  const held = before?.placed ? 1 : 0;
  const waited = before && isWaitingForSlot(before) ? 1 : 0;
  return { running: running - held + (after.placed ? 1 : 0), waiting: waiting - waited + (isWaitingForSlot(after) ? 1 : 0) };
}

/** How many waiting jobs could take a place now. */
export function freeSlots({ running, waiting }: SlotCounts, runningMax: number): number {
  return Math.max(0, Math.min(waiting, runningMax - running));
}

import type { TraceLine } from "./trace.ts";
import type { Violation } from "./world.ts";

/** What one schedule has come to. */
export interface Report {
  readonly seed: number;
  readonly violation: Violation | undefined;
  readonly counts: Readonly<Record<string, number>>;
  readonly trace: readonly TraceLine[];
}

/** Runs the schedule of a seed; the same seed does the same, traced or not. */
export type Simulate = (seed: number, isTraced: boolean) => Promise<Report>;

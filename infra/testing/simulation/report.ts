import type { TraceLine } from "./trace.ts";
import type { Violation } from "./world.ts";

/** The outcome of one schedule. */
export interface Report {
  readonly seed: number;
  readonly violation: Violation | undefined;
  readonly counts: Readonly<Record<string, number>>;
  readonly trace: readonly TraceLine[];
}

/** Runs the schedule of a seed. The same seed runs the same way, traced or not. */
export type Simulate = (seed: number, isTraced: boolean) => Promise<Report>;

import { memoryJobs as memoryStore } from "../../../infra/testing/simulation/jobs/memory-jobs.ts";
import type { SlotCounts } from "../../jobs/job-slots.ts";
import type { Job, JobStore } from "../../jobs/jobs.ts";
import type { Step } from "./chance.ts";

/** The simulator's job store as one process calls it. */
export interface MemoryJobs extends JobStore {
  readonly all: () => readonly Job[];
  readonly countsOf: (uid: string) => SlotCounts;
}

/** Returns an in-memory job store. `runningMax` is each customer's number of slots. */
export function memoryJobs(runningMax: Readonly<Record<string, number>>, step: Step): MemoryJobs {
  const limitsOf = (uid: string) => ({ runningJobs: runningMax[uid] ?? 0, unfinishedJobs: Number.POSITIVE_INFINITY });
  const { all, countsOf, portOf } = memoryStore(limitsOf);
  return { ...portOf({ name: "test", step }), all, countsOf };
}

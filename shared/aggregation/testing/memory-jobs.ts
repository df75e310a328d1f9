import { memoryJobs as memoryStore } from "../../../infra/testing/simulation/jobs/memory-jobs.ts";
import type { SlotCounts } from "../../jobs/job-slots.ts";
import type { Job, JobStore } from "../../jobs/jobs.ts";
import type { Step } from "./chance.ts";

/** The simulator's job store as one process calls it. */
export interface MemoryJobs extends JobStore {
  readonly all: () => readonly Job[];
  readonly countsOf: (uid: string) => SlotCounts;
}

/**
 * Returns an in-memory job store.
 * @param runningMax each customer's number of slots
 * @param watch called after every write
 */
export function memoryJobs(
  runningMax: Readonly<Record<string, number>>,
  step: Step,
  watch: (before: Job | undefined, after: Job) => void = () => undefined,
): MemoryJobs {
  const limitsOf = (uid: string) => ({ runningJobs: runningMax[uid] ?? 0, unfinishedJobs: Number.POSITIVE_INFINITY });
  const { all, countsOf, portOf } = memoryStore(limitsOf, (writes) => {
    for (const { before, after } of writes) watch(before, after);
  });
  return { ...portOf({ name: "test", step }), all, countsOf };
}

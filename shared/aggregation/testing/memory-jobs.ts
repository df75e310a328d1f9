import { countsAfter, freeSlots, type SlotCounts } from "../../jobs/job-slots.ts";
import { takeSlot } from "../../jobs/job-state.ts";
import type { Job, JobStore } from "../../jobs/jobs.ts";
import type { Step } from "./chance.ts";

/** An in-memory job store. Each method takes effect atomically, like a transaction. */
export interface MemoryJobs extends JobStore {
  readonly all: () => readonly Job[];
  readonly countsOf: (uid: string) => SlotCounts;
}

/**
 * Returns an in-memory job store.
 * @param runningMax each customer's number of slots
 * @param watch called before every write; throws when the write is not allowed
 */
export function memoryJobs(
  runningMax: Readonly<Record<string, number>>,
  step: Step,
  watch: (before: Job | undefined, after: Job) => void = () => undefined,
): MemoryJobs {
  const stored = new Map<string, Job>();
  const counts = new Map<string, SlotCounts>();
  const countsOf = (uid: string): SlotCounts => counts.get(uid) ?? { running: 0, waiting: 0 };
  const maxOf = (uid: string): number => runningMax[uid] ?? 0;
  const write = (after: Job): void => {
    const before = stored.get(after.id);
    watch(before, after);
    stored.set(after.id, after);
    counts.set(after.uid, countsAfter(countsOf(after.uid), before, after));
  };
  const found = (matches: (job: Job) => boolean, key: (job: Job) => Date | null, limit: number): Job[] =>
    [...stored.values()]
      .filter(matches)
      .sort((a, b) => Number(key(a)) - Number(key(b)))
      .slice(0, limit);
  const fill = (uid: string, now: Date): Job[] => {
    const free = freeSlots(countsOf(uid), maxOf(uid));
    const line = found(
      (job) => job.uid === uid && job.status === "queued" && !job.placed,
      (job) => job.createdAt,
      free,
    );
    const placed = line.flatMap((job) => takeSlot(job, now) ?? []);
    for (const job of placed) write(job);
    return placed;
  };
  const until = (time: Date | null, limit: Date): boolean => time !== null && time <= limit;
  return {
    all: () => [...stored.values()],
    countsOf,
    submit: (uid, _now, make) =>
      step("submit", () => {
        const { running, waiting } = countsOf(uid);
        const job = make(running < maxOf(uid) && waiting === 0);
        write(job);
        return { outcome: "created", job };
      }),
    get: (id) => step("get", () => stored.get(id)),
    find: () => Promise.reject(new Error("no test repeats a submission")),
    list: () => Promise.reject(new Error("only customers list jobs")),
    update: (id, change) =>
      step("update", () => {
        const job = stored.get(id);
        const changed = job && change(job);
        if (changed) write(changed);
        return changed;
      }),
    transition: ({ id }, change, now) =>
      step("transition", () => {
        const before = stored.get(id);
        const job = before && change(before);
        if (!before || !job) return undefined;
        write(job);
        return { job, promoted: before.placed && !job.placed ? fill(job.uid, now) : [] };
      }),
    assignSlots: (uid, now) => step("assignSlots", () => fill(uid, now)),
    customersWithFreeSlots: () =>
      step("customersWithFreeSlots", () => [...counts.keys()].filter((uid) => freeSlots(countsOf(uid), maxOf(uid)) > 0)),
    untouched: (since, limit) =>
      step("untouched", () =>
        found(
          (job) => job.placed && job.touchedAt <= since,
          (job) => job.touchedAt,
          limit,
        ),
      ),
    overdue: (now, limit) =>
      step("overdue", () =>
        found(
          (job) => job.placed && until(job.deadlineAt, now),
          (job) => job.deadlineAt,
          limit,
        ),
      ),
    needingCleanUp: (since, limit) =>
      step("needingCleanUp", () =>
        found(
          (job) => job.leftovers && job.touchedAt <= since,
          (job) => job.touchedAt,
          limit,
        ),
      ),
    expired: (now, limit) =>
      step("expired", () =>
        found(
          (job) => job.status === "completed" && until(job.expireAt, now),
          (job) => job.expireAt,
          limit,
        ),
      ),
  };
}

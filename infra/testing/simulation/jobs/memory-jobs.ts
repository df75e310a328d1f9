import { bytesLeft, type DayBytes } from "../../../../shared/budgets/day-bytes.ts";
import { bytesOf, dayAfter } from "../../../../shared/jobs/job-bytes.ts";
import { countsAfter, freeSlots, type SlotCounts } from "../../../../shared/jobs/job-slots.ts";
import { isWaitingForSlot, takeSlot } from "../../../../shared/jobs/job-state.ts";
import type { IdempotencyKey, Job, JobStore } from "../../../../shared/jobs/jobs.ts";
import type { Process } from "../process.ts";

/** A customer's limits. */
export interface CustomerLimits {
  readonly runningJobs: number;
  readonly unfinishedJobs: number;
  readonly bytesPerDay: number;
}

/** A job after a transaction. `before` is undefined for a new job. */
export interface JobWrite {
  readonly before: Job | undefined;
  readonly after: Job;
}

/** An in-memory job store. Each call takes effect atomically, like a transaction, and may be repeated by its client. */
export interface MemoryJobs {
  readonly all: () => readonly Job[];
  readonly get: (id: string) => Job | undefined;
  readonly countsOf: (uid: string) => SlotCounts;
  /** Returns the bytes that count for the customer's newest day with jobs. */
  readonly dayOf: (uid: string) => DayBytes | undefined;
  readonly portOf: (process: Process) => JobStore;
}

/**
 * @param limitsOf a customer's limits; undefined for one who is not known
 * @param watch called after every transaction; `who` is the process that made it
 */
export function memoryJobs(
  limitsOf: (uid: string) => CustomerLimits | undefined,
  watch: (writes: readonly JobWrite[], who: string) => void = () => undefined,
): MemoryJobs {
  const stored = new Map<string, Job>();
  const keys = new Map<string, IdempotencyKey & { readonly jobId: string }>();
  const counts = new Map<string, SlotCounts>();
  const days = new Map<string, DayBytes | undefined>();
  const countsOf = (uid: string): SlotCounts => counts.get(uid) ?? { running: 0, waiting: 0 };
  const knownLimitsOf = (uid: string): CustomerLimits => limitsOf(uid) ?? { runningJobs: 0, unfinishedJobs: 0, bytesPerDay: 0 };

  const put = (after: Job): JobWrite => {
    const before = stored.get(after.id);
    stored.set(after.id, after);
    counts.set(after.uid, countsAfter(countsOf(after.uid), before, after));
    days.set(after.uid, dayAfter(days.get(after.uid), before, after));
    return { before, after };
  };
  const found = (matches: (job: Job) => boolean, key: (job: Job) => Date | null, limit: number): Job[] =>
    [...stored.values()]
      .filter(matches)
      .sort((a, b) => Number(key(a)) - Number(key(b)))
      .slice(0, limit);
  const fill = (uid: string, now: Date): JobWrite[] => {
    const line = found(
      (job) => job.uid === uid && isWaitingForSlot(job),
      ({ createdAt }) => createdAt,
      freeSlots(countsOf(uid), knownLimitsOf(uid).runningJobs),
    );
    return line.flatMap((job) => takeSlot(job, now) ?? []).map(put);
  };
  const jobsOf = (writes: readonly JobWrite[]): Job[] => writes.map(({ after }) => after);
  const repetition = (uid: string, now: Date, idempotency: IdempotencyKey | undefined) => {
    const known = idempotency && keys.get(`${uid} ${idempotency.key}`);
    if (!known || known.expireAt <= now) return undefined;
    if (known.requestHash !== idempotency.requestHash) return { outcome: "mismatch" } as const;
    const job = stored.get(known.jobId);
    return job && ({ outcome: "repeated", job } as const);
  };

  const submit = (
    who: string,
    ...[uid, { now, make, idempotency }]: Parameters<JobStore["submit"]>
  ): Awaited<ReturnType<JobStore["submit"]>> => {
    const repeated = repetition(uid, now, idempotency);
    if (repeated) return repeated;
    const { running, waiting } = countsOf(uid);
    const limits = knownLimitsOf(uid);
    const { runningJobs, unfinishedJobs } = limits;
    if (running + waiting >= unfinishedJobs) return { outcome: "tooManyJobs", limit: unfinishedJobs };
    const job = make(running < runningJobs && waiting === 0);
    if (stored.has(job.id)) throw new Error("ALREADY_EXISTS");
    const [asked, left] = [bytesOf(job), bytesLeft({ limits, bytesToday: days.get(uid) }, 0, now)];
    if (asked > left) return { outcome: "tooManyBytes", limit: limits.bytesPerDay, left, asked };
    if (idempotency) keys.set(`${uid} ${idempotency.key}`, { ...idempotency, jobId: job.id });
    watch([put(job)], who);
    return { outcome: "created", job };
  };

  const update = (who: string, id: string, change: (job: Job) => Job | undefined): Job | undefined => {
    const job = stored.get(id);
    const changed = job && change(job);
    if (changed) watch([put(changed)], who);
    return changed;
  };

  const transition = (
    who: string,
    ...[{ id }, change, now]: Parameters<JobStore["transition"]>
  ): Awaited<ReturnType<JobStore["transition"]>> => {
    const before = stored.get(id);
    const job = before && change(before);
    if (!before || !job) return undefined;
    const write = put(job);
    const next = before.placed && !job.placed ? fill(job.uid, now) : [];
    watch([write, ...next], who);
    return { job, promoted: jobsOf(next) };
  };

  const portOf = ({ name: who, step }: Process): JobStore => {
    const transaction = <T>(what: string, effect: () => T, tell: (result: T) => string): Promise<T> =>
      step(what, effect, { mayRepeat: true, tell });
    const list = (name: string, matches: (job: Job) => boolean, key: (job: Job) => Date | null, limit: number): Promise<Job[]> =>
      step(`jobs.${name}`, () => found(matches, key, limit), { tell: tellJobs });
    return {
      submit: (...args) =>
        transaction(
          `jobs.submit for ${args[0]}`,
          () => submit(who, ...args),
          (result) => ("job" in result ? `${result.outcome}: ${tellJob(result.job)}` : result.outcome),
        ),
      find: (uid, now, idempotency) => step(`jobs.find for ${uid}`, () => repetition(uid, now, idempotency)),
      get: (id) => step(`jobs.get ${short(id)}`, () => stored.get(id), { tell: tellJob }),
      list: () => Promise.reject(new Error("no simulation lists jobs")),
      update: (id, change) => transaction(`jobs.update ${short(id)}`, () => update(who, id, change), tellJob),
      transition: (...args) =>
        transaction(
          `jobs.transition ${short(args[0].id)}`,
          () => transition(who, ...args),
          (ended) => (ended ? tellJobs([ended.job, ...ended.promoted]) : "nothing"),
        ),
      assignSlots: (uid, now) =>
        transaction(
          `jobs.assignSlots for ${uid}`,
          () => {
            const writes = fill(uid, now);
            watch(writes, who);
            return jobsOf(writes);
          },
          tellJobs,
        ),
      customersWithFreeSlots: () =>
        step("jobs.customersWithFreeSlots", () =>
          [...counts.keys()].filter((uid) => freeSlots(countsOf(uid), knownLimitsOf(uid).runningJobs) > 0),
        ),
      untouched: (since, limit) =>
        list(
          "untouched",
          ({ placed, touchedAt }) => placed && touchedAt <= since,
          ({ touchedAt }) => touchedAt,
          limit,
        ),
      overdue: (now, limit) =>
        list(
          "overdue",
          ({ placed, deadlineAt }) => placed && until(deadlineAt, now),
          ({ deadlineAt }) => deadlineAt,
          limit,
        ),
      needingCleanUp: (since, limit) =>
        list(
          "needingCleanUp",
          ({ leftovers, touchedAt }) => leftovers && touchedAt <= since,
          ({ touchedAt }) => touchedAt,
          limit,
        ),
      expired: (now, limit) =>
        list(
          "expired",
          ({ status, expireAt }) => status === "completed" && until(expireAt, now),
          ({ expireAt }) => expireAt,
          limit,
        ),
    };
  };

  return { all: () => [...stored.values()], get: (id) => stored.get(id), countsOf, dayOf: (uid) => days.get(uid), portOf };
}

function until(time: Date | null, limit: Date): boolean {
  return time !== null && time <= limit;
}

/** Formats a job for a trace: attempt, step, status, progress, and the marks that are set. */
function tellJob(job: Job | undefined): string {
  if (!job) return "nothing";
  const marks = [job.placed ? "placed" : "", job.dispatch ? "dispatch" : "", job.leftovers ? "leftovers" : ""].filter(
    (mark) => mark !== "",
  );
  return [`${short(job.id)} ${job.attempt}.${job.step} ${job.status} ${job.progress} %`, ...marks].join(", ");
}

function tellJobs(jobs: readonly Job[]): string {
  return jobs.map(tellJob).join("; ");
}

/** Formats a job's id for a trace: its last digits without leading zeros. */
export function short(id: string): string {
  return `#${id.slice(-12).replace(/^0+/, "")}`;
}

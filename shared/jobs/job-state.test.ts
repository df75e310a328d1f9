import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ATTEMPTS_MAX,
  advance,
  begin,
  cancel,
  complete,
  expire,
  failUndeliverable,
  isCurrent,
  isOver,
  JOB_IDLE_MS,
  type JobState,
  markCleanedUp,
  millisecondsWithSlot,
  newJob,
  RETENTION_MS,
  retryOrFail,
  stopOverdue,
  takeSlot,
} from "./job-state.ts";

const START = new Date("2026-11-01T00:00:00Z");

type Move = (job: JobState, now: Date) => JobState | undefined;

/** Every transition, made with the delivery that the job waits for or with one whose attempt or step is off by one. */
const moves = fc.oneof(
  ...[
    begin,
    (job: JobState, delivery: { attempt: number; step: number }, now: Date) => advance(job, delivery, now.getTime() % 101, now),
    (job: JobState, delivery: { attempt: number; step: number }, now: Date) =>
      retryOrFail(job, delivery, { isRetryable: now.getTime() % 3 > 0, error: "broken" }, now),
    complete,
    failUndeliverable,
  ].map((move) =>
    fc.tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 })).map(
      ([attempt, step]): Move =>
        (job, now) =>
          move(job, { attempt: job.attempt + attempt, step: job.step + step }, now),
    ),
  ),
  ...[takeSlot, cancel, expire, stopOverdue, markCleanedUp].map((move) => fc.constant<Move>(move)),
);

const OVER = { placed: false, dispatch: false, finishedAt: expect.any(Date) };

describe("a job under any order of transitions", () => {
  it("leaves a terminal state only to expire, never loses progress, and holds no slot once it is finished", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(moves, { maxLength: 30 }), (placed, sequence) => {
        let job = newJob(START, placed);
        for (const [index, move] of sequence.entries()) {
          const next = move(job, new Date(START.getTime() + index * 86_400_000 * 2));
          if (!next) continue;
          if (isOver(job) && next.status !== job.status) expect([job.status, next.status]).toEqual(["completed", "expired"]);
          expect(next.progress).toBeGreaterThanOrEqual(job.progress);
          expect(next.attempt).toBeLessThanOrEqual(ATTEMPTS_MAX);
          if (next.status === "completed") expect(next).toMatchObject({ progress: 100, error: null });
          expect(next).toMatchObject(isOver(next) ? OVER : { finishedAt: null });
          job = next;
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("a delivery", () => {
  const running = begin(newJob(START, true), { attempt: 1, step: 0 }, START);
  if (!running) throw new Error("a new job with a slot begins");

  it("of an earlier step or attempt is stale", () => {
    const next = advance(running, { attempt: 1, step: 0 }, 40, START);
    expect(next).toMatchObject({ step: 1, progress: 40, dispatch: true });
    expect(next && isCurrent(next, { attempt: 1, step: 0 })).toBe(false);
  });

  it.each([
    ["step", { attempt: 1, step: 1 }, { attempt: 1, step: 0 }],
    ["attempt", { attempt: 2, step: 0 }, { attempt: 1, step: 0 }],
  ])("of an earlier %s changes nothing", (_what, current, delivery) => {
    const job = { ...running, ...current };
    expect(complete(job, delivery, START)).toBeUndefined();
    expect(failUndeliverable(job, delivery, START)).toBeUndefined();
    for (const isRetryable of [true, false]) expect(retryOrFail(job, delivery, { isRetryable, error: "broken" }, START)).toBeUndefined();
  });

  it("that arrives twice begins the job once: the second only updates touchedAt", () => {
    const later = new Date(START.getTime() + 1000);
    expect(begin(running, { attempt: 1, step: 0 }, later)).toEqual({ ...running, touchedAt: later });
  });

  it("of a job without a slot is stale", () => {
    expect(begin(newJob(START, false), { attempt: 1, step: 0 }, START)).toBeUndefined();
  });
});

describe("an attempt that the warehouse failed", () => {
  const delivery = { attempt: 1, step: 0 };
  const running = begin(newJob(START, true), delivery, START);
  if (!running) throw new Error("a new job with a slot begins");
  const failure = { isRetryable: true, error: "broken" };

  it("is retried in the same slot when the error is retryable", () => {
    const again = retryOrFail(running, delivery, failure, START);
    expect(again).toMatchObject({ status: "running", attempt: 2, step: 0, dispatch: true, placed: true, error: null });
  });

  it("fails the job when the error is permanent, or when no attempt is left", () => {
    const failed = { status: "failed", error: "broken", placed: false, leftovers: true };
    expect(retryOrFail(running, delivery, { ...failure, isRetryable: false }, START)).toMatchObject(failed);
    const last = { attempt: ATTEMPTS_MAX, step: 0 };
    expect(retryOrFail({ ...running, ...last }, last, failure, START)).toMatchObject(failed);
  });
});

describe("a job whose delivery has used up its attempts", () => {
  const delivery = { attempt: 1, step: 0 };

  it("fails, whether it began or not, with an error that tells the customer what to do", () => {
    const queued = newJob(START, true);
    const failed = { status: "failed", placed: false, dispatch: false, error: expect.stringContaining("please submit it again") };
    expect(failUndeliverable(queued, delivery, START)).toMatchObject({ ...failed, leftovers: false });
    expect(failUndeliverable(begin(queued, delivery, START) ?? queued, delivery, START)).toMatchObject({ ...failed, leftovers: true });
  });

  it("stays unchanged when it is finished, waits for a slot, or has advanced since", () => {
    const running = begin(newJob(START, true), delivery, START) ?? newJob(START, true);
    const cancelled = cancel(running, START);
    const advanced = advance(running, delivery, 10, START);
    for (const job of [newJob(START, false), cancelled, advanced]) expect(job && failUndeliverable(job, delivery, START)).toBeUndefined();
  });
});

describe("the deadline", () => {
  const SIX_HOURS_MS = 6 * 3_600_000;

  it("counts from when the job takes its slot, however long it waited", () => {
    const waiting = newJob(START, false);
    const late = new Date(START.getTime() + 10 * SIX_HOURS_MS);
    expect(stopOverdue(waiting, late)).toBeUndefined();
    const placed = takeSlot(waiting, late);
    if (!placed) throw new Error("a waiting job takes a slot");
    expect(stopOverdue(placed, new Date(late.getTime() + SIX_HOURS_MS - 1))).toBeUndefined();
    expect(stopOverdue(placed, new Date(late.getTime() + SIX_HOURS_MS))).toMatchObject({ status: "failed", placed: false });
  });
});

describe("the time with a slot", () => {
  const later = (milliseconds: number) => new Date(START.getTime() + milliseconds);

  it("begins when the job takes its slot and ends with the job", () => {
    const placed = takeSlot(newJob(START, false), later(5000)) ?? newJob(START, false);
    expect(millisecondsWithSlot(complete(placed, { attempt: 1, step: 0 }, later(7500)) ?? placed)).toBe(2500);
  });

  it("is unknown while a job is in work, and of one that never had a slot", () => {
    expect(millisecondsWithSlot(newJob(START, true))).toBeUndefined();
    expect(millisecondsWithSlot(cancel(newJob(START, false), later(1)) ?? newJob(START, true))).toBeUndefined();
  });
});

describe("leftovers of attempts", () => {
  const ended = stopOverdue(
    begin(newJob(START, true), { attempt: 1, step: 0 }, START) ?? newJob(START, true),
    new Date("2026-11-02T00:00:00Z"),
  );
  if (!ended) throw new Error("an overdue job is stopped");

  it("stay marked until no delivery can be working on the job any more", () => {
    const past = (milliseconds: number) => new Date(ended.touchedAt.getTime() + milliseconds);
    expect(ended.leftovers).toBe(true);
    expect(markCleanedUp(ended, past(JOB_IDLE_MS - 1))).toBeUndefined();
    expect(markCleanedUp(ended, past(JOB_IDLE_MS))).toEqual({ ...ended, leftovers: false });
  });

  it("do not exist for a job that never began, or whose first attempt succeeded", () => {
    for (const job of [newJob(START, true), cancel(newJob(START, true), START)]) expect(job).toMatchObject({ leftovers: false });
    const running = begin(newJob(START, true), { attempt: 1, step: 0 }, START) ?? newJob(START, true);
    expect(complete(running, { attempt: 1, step: 0 }, START)).toMatchObject({ status: "completed", leftovers: false });
  });

  it("are there when a later attempt succeeded: an earlier one may have written files", () => {
    const running = begin(newJob(START, true), { attempt: 1, step: 0 }, START) ?? newJob(START, true);
    const again = retryOrFail(running, { attempt: 1, step: 0 }, { isRetryable: true, error: "broken" }, START) ?? running;
    expect(complete(again, { attempt: 2, step: 0 }, START)).toMatchObject({ status: "completed", leftovers: true });
  });
});

describe("results", () => {
  it("expire after their retention, not a millisecond before", () => {
    const done = complete(newJob(START, true), { attempt: 1, step: 0 }, START);
    if (!done) throw new Error("a job with a slot completes");
    expect(expire(done, new Date(START.getTime() + RETENTION_MS - 1))).toBeUndefined();
    expect(expire(done, new Date(START.getTime() + RETENTION_MS))).toMatchObject({ status: "expired" });
  });

  it("count as leftovers from expiry until they are removed", () => {
    const done = complete(newJob(START, true), { attempt: 1, step: 0 }, START) ?? newJob(START, true);
    const expired = expire(done, new Date(START.getTime() + RETENTION_MS));
    expect(expired).toMatchObject({ leftovers: true });
    expect(expired && markCleanedUp(expired, new Date(START.getTime() + RETENTION_MS + JOB_IDLE_MS))).toMatchObject({ leftovers: false });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ATTEMPTS_MAX,
  advance,
  begin,
  cancel,
  complete,
  expire,
  fail,
  isCurrent,
  isOver,
  type JobState,
  newJob,
  RETENTION_MS,
  retry,
  takePlace,
} from "./job-state.ts";

const START = new Date("2026-11-01T00:00:00Z");

type Move = (job: JobState, now: Date) => JobState | undefined;

/** Every move, made with the delivery that the job waits for or with one off by some steps and attempts. */
const moves = fc.oneof(
  ...[
    begin,
    (job: JobState, delivery: { attempt: number; step: number }, now: Date) => advance(job, delivery, now.getTime() % 101, now),
    retry,
    complete,
  ].map((move) =>
    fc.tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 })).map(
      ([attempt, step]): Move =>
        (job, now) =>
          move(job, { attempt: job.attempt + attempt, step: job.step + step }, now),
    ),
  ),
  ...[takePlace, cancel, expire, (job: JobState, now: Date) => fail(job, "broken", now)].map((move) => fc.constant<Move>(move)),
);

describe("a job under any order of moves", () => {
  it("never leaves a terminal state but for expiry, never loses progress, and holds no place when it is over", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(moves, { maxLength: 30 }), (placed, sequence) => {
        let job = newJob(START, placed);
        for (const [index, move] of sequence.entries()) {
          const next = move(job, new Date(START.getTime() + index * 86_400_000 * 2));
          if (!next) continue;
          if (isOver(job)) expect([job.status, next.status]).toEqual(["completed", "expired"]);
          expect(next.progress).toBeGreaterThanOrEqual(job.progress);
          expect(next.attempt).toBeLessThanOrEqual(ATTEMPTS_MAX);
          if (next.status === "completed") expect(next).toMatchObject({ progress: 100, error: null });
          if (isOver(next)) expect(next).toMatchObject({ placed: false, dispatch: false, finishedAt: expect.any(Date) });
          else expect(next.finishedAt).toBeNull();
          job = next;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a delivery", () => {
  const running = begin(newJob(START, true), { attempt: 1, step: 0 }, START);
  if (!running) throw new Error("a new job with a place begins");

  it("of an earlier step or attempt is stale", () => {
    const next = advance(running, { attempt: 1, step: 0 }, 40, START);
    expect(next).toMatchObject({ step: 1, progress: 40, dispatch: true });
    expect(next && isCurrent(next, { attempt: 1, step: 0 })).toBe(false);
    const again = retry(running, { attempt: 1, step: 0 }, START);
    expect(again).toMatchObject({ attempt: 2, step: 0, dispatch: true });
    expect(again && complete(again, { attempt: 1 }, START)).toBeUndefined();
  });

  it("that comes twice begins once: the second changes nothing but the touch", () => {
    const later = new Date(START.getTime() + 1000);
    expect(begin(running, { attempt: 1, step: 0 }, later)).toEqual({ ...running, touchedAt: later });
  });

  it("of a job without a place is stale", () => {
    expect(begin(newJob(START, false), { attempt: 1, step: 0 }, START)).toBeUndefined();
  });

  it("cannot be tried more often than the limit", () => {
    expect(retry({ ...running, attempt: ATTEMPTS_MAX }, { attempt: ATTEMPTS_MAX, step: 0 }, START)).toBeUndefined();
  });
});

describe("results", () => {
  it("expire after their retention, not a moment before", () => {
    const done = complete(newJob(START, true), { attempt: 1 }, START);
    if (!done) throw new Error("a job with a place completes");
    expect(expire(done, new Date(START.getTime() + RETENTION_MS - 1))).toBeUndefined();
    expect(expire(done, new Date(START.getTime() + RETENTION_MS))).toMatchObject({ status: "expired" });
  });
});

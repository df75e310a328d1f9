import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { begin, cancel, JOB_IDLE_MS, type JobState, newJob } from "./job-state.ts";
import { deliveryDelayMs, ENQUEUE_AGAIN_AFTER_MS, markRepublished, redeliveryDue } from "./redelivery-policy.ts";

const START = new Date("2026-11-01T00:00:00Z");
const past = (milliseconds: number) => new Date(START.getTime() + milliseconds);

const queued = newJob(START, true);
const running = begin(queued, { attempt: 1, step: 0 }, START);
if (!running) throw new Error("a new job with a slot begins");

describe("a delivery", () => {
  it.each([
    ["that has not arrived", queued, ENQUEUE_AGAIN_AFTER_MS - 1, undefined],
    ["that has not arrived", queued, ENQUEUE_AGAIN_AFTER_MS, "enqueue"],
    ["that has not arrived", queued, JOB_IDLE_MS - 1, "enqueue"],
    ["that has not arrived", queued, JOB_IDLE_MS, "publish"],
    ["that arrived", running, JOB_IDLE_MS - 1, undefined],
    ["that arrived", running, JOB_IDLE_MS, "publish"],
    ["of a waiting job", newJob(START, false), JOB_IDLE_MS, undefined],
    ["of a finished job", cancel(running, START) ?? running, JOB_IDLE_MS, undefined],
  ])("%s, case %#, is sent again as expected", (_what, job, untouched, expected) => {
    expect(redeliveryDue(job, past(untouched))).toBe(expected);
  });

  it("is republished once per interval: the job counts as touched", () => {
    const again = markRepublished(queued, past(JOB_IDLE_MS));
    expect(again).toEqual({ ...queued, resends: 1, touchedAt: past(JOB_IDLE_MS) });
    expect(again && markRepublished(again, past(2 * JOB_IDLE_MS - 1))).toBeUndefined();
    expect(markRepublished(queued, past(JOB_IDLE_MS - 1))).toBeUndefined();
  });

  it("backs off while none arrives: it is published five times in a two-hour outage, then every forty minutes", () => {
    let job: JobState = queued;
    const minutes: number[] = [];
    for (let minute = 0; minute <= 6 * 60; minute++) {
      const again = markRepublished(job, past(minute * 60_000));
      if (again) minutes.push(minute);
      job = again ?? job;
    }
    expect(minutes).toEqual([5, 15, 35, 75, 115, 155, 195, 235, 275, 315, 355]);
    const arrived = begin(job, { attempt: 1, step: 0 }, job.touchedAt);
    expect(arrived && markRepublished(arrived, new Date(job.touchedAt.getTime() + JOB_IDLE_MS))).toBeDefined();
  });
});

describe("the delay of a delivery", () => {
  const FRACTION = 0.2;

  it("is zero for a job's first delivery", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => deliveryDelayMs({ id, attempt: 1, step: 0 }) === 0),
      { seed: 1 },
    );
  });

  it.each([
    [1, 1, 1000],
    [1, 7, 7000],
    [1, 500, 10_000],
    [2, 0, 10_000],
    [3, 0, 20_000],
    [3, 2, 2000],
    [5, 0, 80_000],
    [90, 0, 120_000],
  ])("of attempt %i, step %i is %i ms ± 20 % for every job, and always the same", (attempt, step, expected) => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const delay = deliveryDelayMs({ id, attempt, step });
        expect(Math.abs(delay - expected)).toBeLessThanOrEqual(expected * FRACTION);
        expect(deliveryDelayMs({ id, attempt, step })).toBe(delay);
        expect(delay).toBeLessThan(JOB_IDLE_MS / 2);
      }),
      { seed: 1 },
    );
  });

  it("spreads jobs, and the steps and attempts of one job, evenly over the whole jitter range", () => {
    const jobs = Array.from({ length: 1000 }, (_, index) => `job ${index}`);
    for (const share of [
      jobs.map((id) => deliveryDelayMs({ id, attempt: 2, step: 0 }) / 10_000),
      jobs.map((_, step) => deliveryDelayMs({ id: "job", attempt: 1, step: step + 10 }) / 10_000),
      jobs.map((_, attempt) => deliveryDelayMs({ id: "job", attempt: attempt + 10, step: 0 }) / 120_000),
    ]) {
      const tenths = Array.from({ length: 10 }, () => 0);
      for (const one of share) {
        const tenth = Math.min(9, Math.floor(((one - 1 + FRACTION) / (2 * FRACTION)) * 10));
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
      for (const count of tenths) expect(count).toBeGreaterThan(60);
    }
  });
});

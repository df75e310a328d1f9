import { describe, expect, it } from "vitest";
import { begin, cancel, newJob, QUIET_MS } from "./job-state.ts";
import { deliveryDelayMs, lateDelivery, OWED_MS, republish } from "./late-delivery.ts";

const START = new Date("2026-11-01T00:00:00Z");
const past = (milliseconds: number) => new Date(START.getTime() + milliseconds);

const owed = newJob(START, true);
const running = begin(owed, { attempt: 1, step: 0 }, START);
if (!running) throw new Error("a new job with a place begins");

describe("a delivery", () => {
  it.each([
    ["owed", owed, OWED_MS - 1, undefined],
    ["owed", owed, OWED_MS, "enqueue"],
    ["owed", owed, QUIET_MS - 1, "enqueue"],
    ["owed", owed, QUIET_MS, "publish"],
    ["that arrived", running, QUIET_MS - 1, undefined],
    ["that arrived", running, QUIET_MS, "publish"],
    ["of a waiting job", newJob(START, false), QUIET_MS, undefined],
    ["of a job that is over", cancel(running, START) ?? running, QUIET_MS, undefined],
  ])("%s, %# is sent again as it should be", (_what, job, untouched, expected) => {
    expect(lateDelivery(job, past(untouched))).toBe(expected);
  });

  it("is published once in its time: the job counts as touched", () => {
    const again = republish(owed, past(QUIET_MS));
    expect(again).toEqual({ ...owed, touchedAt: past(QUIET_MS) });
    expect(again && republish(again, past(2 * QUIET_MS - 1))).toBeUndefined();
    expect(republish(owed, past(QUIET_MS - 1))).toBeUndefined();
  });

  it.each([
    [1, 0, 0],
    [1, 1, 1000],
    [1, 7, 7000],
    [1, 500, 10_000],
    [2, 0, 10_000],
    [3, 0, 20_000],
    [3, 2, 2000],
  ])("of attempt %i, step %i is held back by %i ms", (attempt, step, expected) => {
    expect(deliveryDelayMs({ attempt, step })).toBe(expected);
  });
});

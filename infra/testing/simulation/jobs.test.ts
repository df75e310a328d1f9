import { describe, expect, it } from "vitest";
import { simulateJobs } from "./jobs/simulate-jobs.ts";
import { runSchedules } from "./run-schedules.ts";
import { SUITE } from "./simulations.ts";
import { describeTrace } from "./trace.ts";

const { seed: SEED, schedules: SCHEDULES } = SUITE;

describe("the job path under crashes, failures, and lost, duplicate, late or reordered messages", () => {
  it(`keeps every invariant in ${SCHEDULES} schedules, in which all of these happen`, async () => {
    const { failure, schedules, counts } = await runSchedules(simulateJobs, SEED, SCHEDULES);
    // To reproduce a failure: npm run simulate -- --what jobs --replay SEED
    expect(failure).toBeUndefined();
    expect(schedules).toBe(SCHEDULES);
    for (const happened of HAPPENED) expect(counts[happened], happened).toBeGreaterThan(20);
  });

  it("runs the same way for the same seed, with or without a trace", async () => {
    for (const seed of [SEED, SEED + 1, SEED + 2]) {
      const traced = await simulateJobs(seed, true);
      expect(describeTrace((await simulateJobs(seed, true)).trace)).toBe(describeTrace(traced.trace));
      expect(traced.trace.length).toBeGreaterThan(10);
      expect((await simulateJobs(seed, false)).counts).toEqual(traced.counts);
    }
  });
});

/** The events that must have happened for a run to be meaningful. */
const HAPPENED = [
  "answers: resource_exhausted",
  "calls: arrives though its process has died",
  "calls: dies after",
  "calls: dies before",
  "calls: fails after",
  "calls: fails before",
  "calls: repeated",
  "jobs: cancelled",
  "jobs: completed",
  "jobs: expired",
  "jobs: failed",
  "messages: dead letters",
  "messages: delivered again while at work",
  "messages: doubled",
  "messages: lost",
  "processes: killed",
  "shutdowns",
];

import { describe, expect, it } from "vitest";
import { runSchedules } from "./run-schedules.ts";
import { SUITE } from "./simulations.ts";
import { simulateTicks } from "./ticks/simulate-ticks.ts";
import { describeTrace } from "./trace.ts";

const { seed: SEED, schedules: SCHEDULES } = SUITE;

describe("the ticks and their headcounts under crashes, failures, and lost, duplicate or late calls", () => {
  it(`keep every invariant in ${SCHEDULES} schedules, in which all of these happen`, async () => {
    const { failure, schedules, counts } = await runSchedules(simulateTicks, SEED, SCHEDULES);
    // To reproduce a failure: npm run simulate -- --what ticks --replay SEED
    expect(failure).toBeUndefined();
    expect(schedules).toBe(SCHEDULES);
    for (const happened of HAPPENED) expect(counts[happened], happened).toBeGreaterThan(20);
  });

  it("run the same way for the same seed, with or without a trace", async () => {
    for (const seed of [SEED, SEED + 1, SEED + 2]) {
      const traced = await simulateTicks(seed, true);
      expect(describeTrace((await simulateTicks(seed, true)).trace)).toBe(describeTrace(traced.trace));
      expect(traced.trace.length).toBeGreaterThan(10);
      expect((await simulateTicks(seed, false)).counts).toEqual(traced.counts);
    }
  });
});

/** The events that must have happened for a run to be meaningful. */
const HAPPENED = [
  "answers: not_found",
  "maps to measure at once",
  "headcounts in the table, of one map",
  "calls: arrives though its process has died",
  "calls: dies after",
  "calls: dies before",
  "calls: fails after",
  "calls: fails before",
  "calls: repeated",
  "firings that are lost",
  "headcounts in the customers' tables",
  "headcounts that a later tick loads",
  "processes: killed",
  "shutdowns",
  "snapshots replaced",
  "snapshots that cannot be written",
  "ticks late or by hand",
  "ticks owed to one customer only",
  "ticks: done",
  "ticks: given up",
  "warehouse calls while it is down",
  "warehouse jobs attached to",
  "warehouse jobs that failed",
];

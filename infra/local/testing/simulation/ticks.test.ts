import { describe, expect, it } from "vitest";
import { runSchedules } from "./run-schedules.ts";
import { simulateTicks } from "./ticks/simulate-ticks.ts";
import { describeTrace } from "./trace.ts";

const SEED = 20_261_121;
const SCHEDULES = 2000;

describe("the ticks and what they measure, whatever dies, fails, is lost, doubled or late", () => {
  it(`keep every promise in ${SCHEDULES} schedules, in which all of that happens`, async () => {
    const { failure, schedules, counts } = await runSchedules(simulateTicks, SEED, SCHEDULES);
    // The same again: npm run simulate -- --what ticks --replay SEED
    expect(failure).toBeUndefined();
    expect(schedules).toBe(SCHEDULES);
    for (const happened of HAPPENED) expect(counts[happened], happened).toBeGreaterThan(20);
  });

  it("take the same course for the same seed, with a trace or without", async () => {
    for (const seed of [SEED, SEED + 1, SEED + 2]) {
      const traced = await simulateTicks(seed, true);
      expect(describeTrace((await simulateTicks(seed, true)).trace)).toBe(describeTrace(traced.trace));
      expect(traced.trace.length).toBeGreaterThan(10);
      expect((await simulateTicks(seed, false)).counts).toEqual(traced.counts);
    }
  });
});

/** What has to have happened for a run to say anything. */
const HAPPENED = [
  "answers: not_found",
  "calls: arrives though its process has died",
  "calls: dies after",
  "calls: dies before",
  "calls: fails after",
  "calls: fails before",
  "calls: repeated",
  "firings that are lost",
  "headcounts in eu",
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

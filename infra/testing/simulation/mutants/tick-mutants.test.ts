import { describe, expect, it } from "vitest";
import { TICK_MUTANTS } from "./tick-mutants.ts";
import { tryMutant } from "./try-mutant.ts";

const SEED = 1;
/** Twice as many as the mutant that is hardest to detect needs. */
const SCHEDULES = 1750;
const AT_ONCE = 2;

describe("a broken guard of the ticks", () => {
  it("is detected, for every mutant", async () => {
    const waiting = [...TICK_MUTANTS];
    const missed: string[] = [];
    const work = async (): Promise<void> => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift())
        if (!(await tryMutant(mutant, mutant.subject, SEED, SCHEDULES)).failure) missed.push(mutant.name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(missed).toEqual([]);
    expect(TICK_MUTANTS.length).toBeGreaterThanOrEqual(12);
  }, 600_000);

  it("is the cause of the violation: an unchanged copy keeps every invariant in as many schedules", async () => {
    expect(await tryMutant(undefined, "ticks", SEED, SCHEDULES)).toEqual({ schedules: SCHEDULES });
  });
});

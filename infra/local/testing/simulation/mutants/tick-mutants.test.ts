import { describe, expect, it } from "vitest";
import { TICK_MUTANTS } from "./tick-mutants.ts";
import { tryMutant } from "./try-mutant.ts";

const SEED = 1;
/** Twice as many as the mutant that is the hardest to notice needs. */
const SCHEDULES = 1750;
const AT_ONCE = 2;

describe("a guard of the ticks that is broken", () => {
  it("is noticed, whichever it is", async () => {
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

  it("is what is noticed: a copy that is as it should be keeps every promise in as many schedules", async () => {
    expect(await tryMutant(undefined, "ticks", SEED, SCHEDULES)).toEqual({ schedules: SCHEDULES });
  });
});

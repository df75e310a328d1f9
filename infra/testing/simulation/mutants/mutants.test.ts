import { describe, expect, it } from "vitest";
import { SUITE, type Subject } from "../simulations.ts";
import { JOB_MUTANTS } from "./job-mutants.ts";
import { type Mutant, mutate } from "./mutant.ts";
import { TICK_MUTANTS } from "./tick-mutants.ts";
import { tryMutant } from "./try-mutant.ts";

const MUTANTS: Readonly<Record<Subject, readonly Mutant[]>> = { jobs: JOB_MUTANTS, ticks: TICK_MUTANTS };
const LAST = SUITE.seed + SUITE.schedules - 1;
/** How many schedules are tried at least for a mutant whose first seed is not among those of the suite. */
const FURTHER = 50;

describe.each<Subject>(["jobs", "ticks"])("a broken guard of the %s", (subject) => {
  // The violation comes from the mutant: with the sources as they are, these seeds keep every invariant (`jobs.test.ts`, `ticks.test.ts`,
  // and here for further ones).
  it.each(MUTANTS[subject])("is detected: $name", async (mutant) => {
    const seed = mutant.seed ?? SUITE.seed;
    const { schedules, failure } = await tryMutant(mutant, subject, seed, Math.max(FURTHER, LAST - seed + 1));
    if (seed + schedules - 1 > LAST) expect(await tryMutant(undefined, subject, seed, schedules)).toEqual({ schedules });
    // The code has changed since its seed was written down.
    expect(failure ?? (await tryMutant(mutant, subject, SUITE.seed, seed - SUITE.seed)).failure).toBeDefined();
  });

  it("is not how it is loaded: the sources as they are, loaded alike, keep every invariant", async () => {
    expect(await tryMutant(undefined, subject, SUITE.seed, 100)).toEqual({ schedules: 100 });
    expect(MUTANTS[subject].length).toBeGreaterThanOrEqual(12);
  });
});

describe("a mutant whose text", () => {
  const mutant: Mutant = { name: "x", subject: "jobs", file: "a.ts", from: "b", to: "c" };

  it("occurs exactly once is applied", () => {
    expect(mutate("abd", mutant)).toBe("acd");
  });

  it.each(["ad", "abdb"])("does not occur exactly once is an error: %s", (source) => {
    expect(() => mutate(source, mutant)).toThrow('Mutant "x"');
  });
});

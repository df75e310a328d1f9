import { describe, expect, it } from "vitest";
import { JOB_MUTANTS } from "./job-mutants.ts";
import { type Mutant, mutate } from "./mutant.ts";
import { tryMutant } from "./try-mutant.ts";

const SEED = 1;
/** Twice as many as the mutant that is the hardest to notice needs. */
const SCHEDULES = 1500;
const AT_ONCE = 2;

describe("a guard of the job path that is broken", () => {
  it("is noticed, whichever it is", async () => {
    const waiting = [...JOB_MUTANTS];
    const missed: string[] = [];
    const work = async (): Promise<void> => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift())
        if (!(await tryMutant(mutant, mutant.subject, SEED, SCHEDULES)).failure) missed.push(mutant.name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(missed).toEqual([]);
    expect(JOB_MUTANTS.length).toBeGreaterThanOrEqual(12);
  }, 600_000);

  it("is what is noticed: a copy that is as it should be keeps every promise in as many schedules", async () => {
    expect(await tryMutant(undefined, "jobs", SEED, SCHEDULES)).toEqual({ schedules: SCHEDULES });
  });
});

describe("a mutant whose text", () => {
  const mutant: Mutant = { name: "x", subject: "jobs", file: "a.ts", from: "b", to: "c" };

  it("is there once is made", () => {
    expect(mutate("abd", mutant)).toBe("acd");
  });

  it.each(["ad", "abdb"])("is not there exactly once is an error: %s", (source) => {
    expect(() => mutate(source, mutant)).toThrow('Mutant "x"');
  });
});

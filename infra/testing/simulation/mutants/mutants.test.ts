import { describe, expect, it } from "vitest";
import { JOB_MUTANTS } from "./job-mutants.ts";
import { type Mutant, mutate } from "./mutant.ts";
import { tryMutant } from "./try-mutant.ts";

const SEED = 1;
/** Twice as many as the mutant that is hardest to detect needs. */
const SCHEDULES = 1500;
const AT_ONCE = 2;

describe("a broken guard of the job path", () => {
  it("is detected, for every mutant", async () => {
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

  it("is the cause of the violation: an unchanged copy keeps every invariant in as many schedules", async () => {
    expect(await tryMutant(undefined, "jobs", SEED, SCHEDULES)).toEqual({ schedules: SCHEDULES });
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

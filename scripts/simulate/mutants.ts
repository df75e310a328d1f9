import { JOB_MUTANTS } from "../../infra/testing/simulation/mutants/job-mutants.ts";
import { TICK_MUTANTS } from "../../infra/testing/simulation/mutants/tick-mutants.ts";
import { tryMutant } from "../../infra/testing/simulation/mutants/try-mutant.ts";
import { printTable } from "../table.ts";
import type { SimulateCommand } from "./options.ts";

/**
 * Prints after how many schedules each mutant is detected, and by which invariant. Returns whether all are and the original sources
 * pass.
 */
export async function showMutants({ seed, schedules, subjects, workers }: SimulateCommand): Promise<boolean> {
  const mutants = [...JOB_MUTANTS, ...TICK_MUTANTS].filter(({ subject }) => subjects.includes(subject));
  const rows = new Map<number, { mutant: string; schedules: number; "detected by": string }>();
  const waiting = [...mutants.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, mutant] = next;
      const caught = await tryMutant(mutant, mutant.subject, seed, schedules);
      rows.set(index, {
        mutant: mutant.name,
        schedules: caught.schedules,
        "detected by": caught.failure?.violation.invariant ?? "NOTHING",
      });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const intact = await Promise.all(subjects.map((subject) => tryMutant(undefined, subject, seed, schedules)));
  printTable([...rows.entries()].sort(([a], [b]) => a - b).map(([, row]) => row));
  const isIntact = intact.every(({ failure }) => failure === undefined);
  console.log(`\nThe original sources: ${isIntact ? `no violation in ${schedules} schedules` : "VIOLATIONS FOUND"}`);
  return isIntact && [...rows.values()].every((row) => row["detected by"] !== "NOTHING");
}

import * as v from "valibot";
import type { Subject } from "../simulations.ts";
import type { Mutant } from "./mutant.ts";
import { modulesWith } from "./mutated-modules.ts";

const Runner = v.object({ runSchedules: v.function() });
const Simulations = v.object({ SIMULATIONS: v.record(v.string(), v.function()) });
const Caught = v.object({
  schedules: v.number(),
  failure: v.optional(v.object({ seed: v.number(), violation: v.object({ invariant: v.string(), message: v.string() }) })),
});
export type Caught = v.InferOutput<typeof Caught>;

/**
 * Runs the simulator with one of the sources broken, in this process, up to the first violation.
 * @param mutant undefined for the sources as they are
 * @returns how many schedules ran, and the violation if any; throws when the mutant does not fit its source or does not run
 */
export async function tryMutant(mutant: Mutant | undefined, subject: Subject, seed: number, schedules: number): Promise<Caught> {
  const load = modulesWith(mutant);
  const { runSchedules } = v.parse(Runner, load("infra/testing/simulation/run-schedules.ts"));
  const { SIMULATIONS } = v.parse(Simulations, load("infra/testing/simulation/simulations.ts"));
  return v.parse(Caught, await runSchedules(SIMULATIONS[subject], seed, schedules));
}

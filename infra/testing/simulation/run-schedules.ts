import { setImmediate } from "node:timers/promises";
import type { Simulate } from "./report.ts";
import type { Violation } from "./world.ts";

/** The outcome of a run of consecutive seeds, up to the first failure. */
export interface Tally {
  readonly schedules: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failure: { readonly seed: number; readonly violation: Violation } | undefined;
}

export const NOTHING: Tally = { schedules: 0, counts: {}, failure: undefined };

/** Runs the schedules of consecutive seeds, starting at `first`. Stops at the first violation. */
export async function runSchedules(simulate: Simulate, first: number, schedules: number): Promise<Tally> {
  let tally = NOTHING;
  for (let seed = first; seed < first + schedules && !tally.failure; seed++) {
    const { violation, counts } = await simulate(seed, false);
    tally = join(tally, { schedules: 1, counts, failure: violation && { seed, violation } });
    // A schedule never leaves the microtask queue, so yield to the rest of this process.
    await setImmediate();
  }
  return tally;
}

/** Merges two tallies. Of two failures, it keeps the one with the lower seed. */
export function join(one: Tally, other: Tally): Tally {
  const counts = { ...one.counts };
  for (const [name, count] of Object.entries(other.counts)) counts[name] = (counts[name] ?? 0) + count;
  const failures = [one.failure, other.failure].filter((failure) => failure !== undefined).sort((a, b) => a.seed - b.seed);
  return { schedules: one.schedules + other.schedules, counts, failure: failures[0] };
}

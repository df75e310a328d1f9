import type { Tally } from "../../infra/testing/simulation/run-schedules.ts";
import { SIMULATIONS, type Subject } from "../../infra/testing/simulation/simulations.ts";
import { describeTrace } from "../../infra/testing/simulation/trace.ts";

/** Prints all counts, sorted by name. */
export function showCounts({ counts }: Tally): void {
  const names = Object.keys(counts).sort();
  const width = Math.max(0, ...names.map((name) => name.length));
  for (const name of names) console.log(`  ${name.padEnd(width)}  ${(counts[name] ?? 0).toLocaleString("en").padStart(13)}`);
}

/** Prints the trace of one schedule. Returns whether it kept every invariant. */
export async function replay(subject: Subject, seed: number): Promise<boolean> {
  const { trace, violation } = await SIMULATIONS[subject](seed, true);
  console.log(describeTrace(trace));
  if (violation) console.log(`\nSeed ${seed} breaks "${violation.invariant}": ${violation.message}`);
  else console.log(`\nSeed ${seed} keeps every invariant`);
  return violation === undefined;
}

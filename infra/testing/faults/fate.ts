import type { Random } from "../simulation/random.ts";

/**
 * The fate of one call: it passes; it gets an unavailable response before it arrives, or after it arrived and took effect; its connection
 * is reset, before or after the effect; or it arrives late.
 */
const FATES = ["passed", "unavailable", "unavailable after its effect", "reset", "reset after its effect", "slow"] as const;
export type Fate = (typeof FATES)[number];

/** The delay of a slow call, in milliseconds. */
const SLOW_MS = { least: 50, most: 1500 };

/** Draws the fates of a proxy's calls and counts them. */
export interface Fates {
  readonly next: () => Fate;
  readonly delayMs: () => number;
  /** Stops the faults: all calls pass from now on. */
  readonly calm: () => void;
  readonly counts: () => Readonly<Record<Fate, number>>;
}

/**
 * @param rate the share of calls with a fault, 0 to 1
 * @param spared fates that are never drawn, for a protocol that has no such fault
 */
export function fatesOf(random: Random, rate: number, spared: readonly Fate[] = []): Fates {
  const faults = FATES.filter((fate) => fate !== "passed" && !spared.includes(fate));
  const counts = { passed: 0, unavailable: 0, "unavailable after its effect": 0, reset: 0, "reset after its effect": 0, slow: 0 };
  let present = rate;
  return {
    next: () => {
      const fate = random.chance(present) ? random.pick(faults) : "passed";
      counts[fate]++;
      return fate;
    },
    delayMs: () => random.whole(SLOW_MS.least, SLOW_MS.most),
    calm: () => {
      present = 0;
    },
    counts: () => ({ ...counts }),
  };
}

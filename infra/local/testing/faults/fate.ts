import type { Random } from "../simulation/random.ts";

/**
 * What becomes of one call on its way: it passes; it is answered as unavailable without having arrived, or although it arrived and took effect;
 * its connection is reset, likewise; or it arrives late.
 */
const FATES = ["passed", "unavailable", "unavailable after its effect", "reset", "reset after its effect", "slow"] as const;
export type Fate = (typeof FATES)[number];

/** How slow a slow call is, in milliseconds. */
const SLOW_MS = { least: 50, most: 1500 };

/** Decides the fates of a proxy's calls, and counts them. */
export interface Fates {
  readonly next: () => Fate;
  readonly delayMs: () => number;
  /** From now on all goes well. */
  readonly calm: () => void;
  readonly counts: () => Readonly<Record<Fate, number>>;
}

/**
 * @param rate the share of calls that do not simply pass, 0 to 1
 * @param spared fates that are never drawn, for a protocol in which they mean nothing
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

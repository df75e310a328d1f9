import type { Tally } from "./possible-worlds.ts";

/** A set of devices that an attacker is after. */
export interface Attacked {
  /** The fewest and the most devices that it can have, by what the attacker has concluded. */
  readonly min: number;
  readonly max: number;
  /** How many it has, if the truth is known. */
  readonly devices: number | undefined;
  /** Whether a world was found, and checked with the rule, that publishes the same and in which the set is empty. */
  readonly isRefuted: boolean;
}

/** What an attack found. */
export interface Finding extends Tally {
  /** Sets that are neither shown nor refuted: a stronger attack may show them. */
  readonly open: number;
  /** Sets whose true count the attacker excluded: the attack is wrong, or another rule runs. */
  readonly wrong: number;
}

const NOTHING_FOUND: Finding = { considered: 0, shown: 0, recovered: 0, open: 0, wrong: 0 };

/**
 * Scores the sets of an attack. With the truth, those of 1 to k - 1 devices are considered; without it, those that can have so few, so that
 * `shown` then also counts larger sets.
 */
export function scoreSets(sets: Iterable<Attacked>, k: number): Finding {
  const found = { ...NOTHING_FOUND };
  for (const { min, max, devices, isRefuted } of sets) {
    const isConsidered = devices === undefined ? max >= 1 && min < k : devices >= 1 && devices < k;
    if (devices !== undefined && (devices < min || devices > max)) found.wrong++;
    if (!isConsidered) continue;
    found.considered++;
    if (min > 0) found.shown++;
    else if (!isRefuted) found.open++;
    if (min > 0 && max < k) found.recovered++;
  }
  return found;
}

/** Adds up findings, for example those of several days. */
export function sumOf(findings: Iterable<Finding>): Finding {
  const sum = { ...NOTHING_FOUND };
  for (const { considered, shown, recovered, open, wrong } of findings) {
    sum.considered += considered;
    sum.shown += shown;
    sum.recovered += recovered;
    sum.open += open;
    sum.wrong += wrong;
  }
  return sum;
}

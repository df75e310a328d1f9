import { type AreaRules, devicesOf, nearest, peopleOf } from "../area-rules.ts";
import { drawn } from "../drawn.ts";
import type { Attacked } from "../verdicts.ts";

/** A T-junction in an hour: what flows in through one arm flows out through the two others. Numbers of people; 0 where none is published. */
export interface Junction {
  readonly into: number;
  readonly out: number;
  /** The devices of the arm that is withheld, if the truth is known. */
  readonly devices: number | undefined;
}

/**
 * Attacks the withheld arm of a junction at which no vehicle stops, turns or parks: what flows in less what flows out. Whoever knows that the
 * arm is withheld knows that fewer than k devices are in it, so that it is recovered wherever it is shown.
 */
export function attackJunction({ into, out, devices }: Junction, rules: AreaRules): Attacked {
  const [a, b] = [devicesOf(into, rules, true), devicesOf(out, rules, true)];
  if (!a || !b) return { min: 0, max: rules.k - 1, devices, isRefuted: false };
  const min = Math.max(0, a.min - b.max);
  return { min, max: Math.min(rules.k - 1, a.max - b.min), devices, isRefuted: min === 0 };
}

/** Returns junctions as Flow publishes them, drawn from a seed, each with a withheld arm. */
export function drawnJunctions(rules: AreaRules, count: number, seed: number): Junction[] {
  const random = drawn(seed);
  const number = (devices: number): number => Math.max(rules.step, nearest(peopleOf(devices, rules), rules.step));
  return Array.from({ length: count }, () => {
    const devices = 1 + Math.floor(random() * (rules.k - 1));
    const out = rules.k + Math.floor(random() * 20 * rules.k);
    return { into: number(out + devices), out: number(out), devices };
  });
}

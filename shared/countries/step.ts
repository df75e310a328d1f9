import type { CountryRules } from "./country-rules.ts";

/** Steps are whole multiples of this many people. */
const UNIT = 5;

/** The rules of a country on which its steps depend. */
type Rules = Pick<CountryRules, "k" | "peopleOfDevice" | "isProtected" | "isStrict">;

/**
 * Returns the step of a country's published counts of people: what the devices of a step stand for at most, rounded up to a multiple of five. A
 * count that the provider has protected itself is published as it is, in steps of one.
 */
export function stepOf(rules: Rules): number {
  const { peopleOfDevice, isProtected } = rules;
  if (isProtected || peopleOfDevice === undefined) return 1;
  return Math.ceil((deviceStepOf(rules) * peopleOfDevice) / UNIT) * UNIT;
}

/** Returns the step of published counts of devices: k, and 2k in the strict profile. */
export function deviceStepOf({ k, isStrict }: Pick<Rules, "k" | "isStrict">): number {
  return isStrict ? 2 * k : k;
}

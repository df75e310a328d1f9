import type { CountryRules } from "./country-rules.ts";

/** Steps are whole multiples of this many people. */
const UNIT = 5;

/**
 * Returns the step of a country's published counts of people: what k devices stand for at most, rounded up to a multiple of five. A count that the
 * provider has protected itself is published as it is, in steps of one.
 */
export function stepOf({ k, peopleOfDevice, isProtected }: Pick<CountryRules, "k" | "peopleOfDevice" | "isProtected">): number {
  if (isProtected || peopleOfDevice === undefined) return 1;
  return Math.ceil((k * peopleOfDevice) / UNIT) * UNIT;
}

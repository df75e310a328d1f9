import { type AreaRules, nearest } from "../area-rules.ts";
import type { ClassFlow, RawClassFlow } from "../dataset.ts";
import type { Attacked } from "../verdicts.ts";

/** The links of a road class in an hour. */
interface ClassHour {
  /** The sum of the numbers of told links, in both directions. */
  told: number;
  /** The devices of withheld ones. */
  withheld: number;
}

/**
 * Attacks the Flow of a strict country: each row is to be the sum of the told links of a road class, of k links at least. What it has beyond
 * them names withheld links. A row of a link, and one of fewer people than k told links have, names a link, and counts as found.
 */
export function attackClasses(rows: readonly ClassFlow[], raw: readonly RawClassFlow[] | undefined, rules: AreaRules): Attacked[] {
  const hours = raw && classHours(raw, rules);
  return rows.map((row) => {
    const named = { min: 1, max: rules.k - 1, devices: undefined, isRefuted: false };
    if (row.linkId !== 0 || row.direction !== 0 || row.people < rules.k * rules.step) return named;
    if (!hours) return { ...named, min: 0, max: Number.POSITIVE_INFINITY };
    const { told, withheld: devices } = hours.get(hourOf(row)) ?? { told: 0, withheld: 0 };
    const extra = Math.abs(row.people - told);
    if (extra === 0) return { min: 0, max: Number.POSITIVE_INFINITY, devices, isRefuted: true };
    return { min: 1, max: extra < rules.step ? rules.k - 1 : Number.POSITIVE_INFINITY, devices, isRefuted: false };
  });
}

/** Returns the key of a road class in an hour. */
export function hourOf({ roadClass, hour }: Pick<ClassFlow, "roadClass" | "hour">): string {
  return `${roadClass} ${hour}`;
}

function classHours(raw: readonly RawClassFlow[], { k, step }: AreaRules): ReadonlyMap<string, ClassHour> {
  const hours = new Map<string, ClassHour>();
  for (const row of raw) {
    const sum = hours.get(hourOf(row)) ?? { told: 0, withheld: 0 };
    hours.set(hourOf(row), sum);
    if (row.devices < k) sum.withheld += row.devices;
    else sum.told += Math.max(step, nearest(row.people, step));
  }
  return hours;
}

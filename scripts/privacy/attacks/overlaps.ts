import type { Counts } from "../area-rule.ts";
import type { AreaRules } from "../area-rules.ts";
import { type Bound, type Bounds, mostOf } from "../bounds.ts";
import type { Attacked } from "../verdicts.ts";

/**
 * Attacks the devices that were in both of two told parts of a told place: |A| + |B| - |A or B|, where no other part is told. With the truth,
 * only places whose other parts are empty are attacked: there the sum is exact.
 */
export function attackOverlaps(bounds: Bounds, rules: AreaRules, truth: Counts | undefined): Attacked[] {
  const found: Attacked[] = [];
  for (const [id, bound] of bounds) {
    if (bound.number === 0) continue;
    const told = bound.parts.filter((part) => (bounds.get(part)?.number ?? 0) > 0);
    const [first, second] = told;
    if (told.length !== 2 || first === undefined || second === undefined) continue;
    const [a, b] = [bounds.get(first), bounds.get(second)];
    if (!a || !b) continue;
    const devices = truth && overlap(id, first, second, bound, truth);
    if (truth && devices === undefined) continue;
    found.push({ ...range(a, b, bound, bounds), devices, isRefuted: canBeApart(a, b, bound, rules) });
  }
  return found;
}

/** Returns the true overlap; undefined if a third part has devices. */
function overlap(id: string, a: string, b: string, { parts }: Bound, truth: Counts): number | undefined {
  const of = (place: string): number => truth.get(place)?.devices ?? 0;
  return parts.some((part) => part !== a && part !== b && of(part) > 0) ? undefined : of(a) + of(b) - of(id);
}

function range(a: Bound, b: Bound, whole: Bound, bounds: Bounds): { readonly min: number; readonly max: number } {
  const most = mostOf(whole);
  const hidden = whole.parts.reduce((sum, part) => {
    const own = bounds.get(part);
    return own?.number === 0 ? sum + mostOf(own) : sum;
  }, 0);
  const together = Math.max(whole.told.min - hidden, a.told.min, b.told.min);
  return {
    min: Math.max(0, a.told.min + b.told.min - most),
    max: Math.min(mostOf(a) + mostOf(b) - together, mostOf(a), mostOf(b)),
  };
}

/**
 * Whether devices of the parts can add up to devices of the whole that publish its number. No hidden devices are needed for that, so these
 * three rows are as the rule publishes them.
 */
function canBeApart(a: Bound, b: Bound, whole: Bound, { k }: AreaRules): boolean {
  const [fewest, most] = [a.told.min + b.told.min, a.told.max + b.told.max];
  const isAbove = whole.above > 0 && fewest >= Math.max(a.told.min, b.told.min) + k;
  return isAbove && fewest <= whole.told.max && most >= whole.told.min;
}

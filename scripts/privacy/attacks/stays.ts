import { type AreaRules, deviceStepOf, type Interval, nearest } from "../area-rules.ts";
import type { Bound } from "../bounds.ts";
import type { Attacked } from "../verdicts.ts";

/** A told row of the finest level with its published stays, and the true devices, devices that stayed and stays if they are known. */
export interface StaysRow {
  readonly bound: Bound;
  readonly staysDevices: number;
  readonly staysCount: number;
  readonly truth?: { readonly devices: number; readonly staysDevices: number; readonly staysCount: number } | undefined;
}

/** The attacks on the stays of a row. */
export interface StaysAttacked {
  /** The devices that did not stay: devices less `stays_devices`. */
  readonly complement: Attacked;
  /** The stays beyond the first of each device: `stays_count` less `stays_devices`. */
  readonly second: Attacked;
  /** The devices that stayed, where fewer than k did. */
  readonly few: Attacked;
}

/** Returns an attack on stays that remembers what it concluded: few combinations of published numbers are different. */
export function openStaysAttack(rules: AreaRules): (row: StaysRow) => StaysAttacked {
  const known = new Map<string, Ranges>();
  return ({ bound, staysDevices, staysCount, truth }) => {
    const { told, hidden } = bound;
    const key = `${told.min} ${told.max} ${hidden} ${staysDevices} ${staysCount}`;
    const ranges = known.get(key) ?? possibleStays(bound, staysDevices, staysCount, rules);
    known.set(key, ranges);
    const set = (range: Interval, devices: number | undefined): Attacked => ({ ...range, devices, isRefuted: range.min === 0 });
    return {
      complement: set(ranges.complement, truth && truth.devices - truth.staysDevices),
      second: set(ranges.second, truth && truth.staysCount - truth.staysDevices),
      few: set(ranges.stayed, truth?.staysDevices),
    };
  };
}

interface Ranges {
  readonly complement: Interval;
  readonly second: Interval;
  readonly stayed: Interval;
}

/**
 * Tries all devices, devices that stayed and stays that rule 11 publishes as these numbers. That is exact for a row with its published people
 * alone.
 */
function possibleStays({ told, hidden }: Bound, staysDevices: number, staysCount: number, rules: AreaRules): Ranges {
  const { k, broken } = rules;
  const step = deviceStepOf(rules);
  const snaps = !broken?.has("staysNotSnapped");
  const [complement, second, stayed] = [range(), range(), range()];
  // Beyond k more devices nothing changes.
  const beyond = Math.min(hidden, k);
  for (let t = told.min; t <= told.max; t++)
    for (let n = t; n <= t + beyond; n++)
      for (const s of candidates(n, staysDevices, k)) {
        const s1 = s < k || t < 2 * k - 1 ? 0 : snaps && t - s < k ? t : s;
        if (nearest(s1, step) !== staysDevices) continue;
        const found = secondStays(s, s1, staysCount, { k, step, snaps });
        if (!found) continue;
        widen(complement, n - s, n - s);
        widen(second, found.min, found.max);
        widen(stayed, s, s);
      }
  return { complement, second, stayed };
}

/** The devices that can have stayed: near the published number, all of them, or fewer than k. */
function* candidates(n: number, staysDevices: number, k: number): Generator<number> {
  const from = staysDevices === 0 ? 0 : Math.max(0, staysDevices - 2 * k);
  for (let s = from; s <= Math.min(n, staysDevices + 2 * k); s++) yield s;
}

/** Returns how many stays more than devices that stayed are possible; undefined if none is. */
function secondStays(
  s: number,
  s1: number,
  staysCount: number,
  { k, step, snaps }: { readonly k: number; readonly step: number; readonly snaps: boolean },
): Interval | undefined {
  if (s1 === 0) return staysCount === 0 ? { min: 0, max: Number.POSITIVE_INFINITY } : undefined;
  const found = range();
  for (let c = s; c <= Math.max(s1, staysCount) + 2 * k; c++) {
    const c1 = snaps && c - s1 < k ? s1 : c;
    if (nearest(c1, step) === staysCount) widen(found, c - s, c - s);
  }
  return found.min <= found.max ? found : undefined;
}

function range(): { min: number; max: number } {
  return { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
}

function widen(to: { min: number; max: number }, min: number, max: number): void {
  to.min = Math.min(to.min, min);
  to.max = Math.max(to.max, max);
}

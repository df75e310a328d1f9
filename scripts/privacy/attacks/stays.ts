import { type AreaRules, deviceStepOf, type Interval, nearest } from "../area-rules.ts";
import type { Bound } from "../bounds.ts";
import { countedOf, type HoursOfCount, type StaysOfHours, stayedOf } from "../stays-rule.ts";
import type { Attacked } from "../verdicts.ts";

/** A told row of the finest level with its published stays, and the true devices, devices that stayed and stays if they are known. */
export interface StaysRow {
  readonly bound: Bound;
  readonly staysDevices: number;
  readonly staysCount: number;
  readonly truth?: { readonly devices: number; readonly staysDevices: number; readonly staysCount: number } | undefined;
  /** Of a day: the published stays of its hours. */
  readonly hours?: StaysOfHours | undefined;
  /** Of an hour of a published day: the most devices that can have stayed in the day, and so in the hour. */
  readonly most?: number | undefined;
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
  return ({ bound, staysDevices, staysCount, truth, hours, most: inDay = Number.POSITIVE_INFINITY }) => {
    const { told, hidden } = bound;
    // A day that can have as many tells nothing more of the hour.
    const most = inDay < told.max + hidden ? inDay : Number.POSITIVE_INFINITY;
    const key = `${told.min} ${told.max} ${hidden} ${staysDevices} ${staysCount} ${most} ${JSON.stringify(hours)}`;
    const ranges = known.get(key) ?? possibleStays({ bound, staysDevices, staysCount, hours, most }, rules);
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
function possibleStays({ bound: { told, hidden }, staysDevices, staysCount, hours, most }: PublishedStays, rules: AreaRules): Ranges {
  const { k } = rules;
  const step = deviceStepOf(rules);
  const [complement, second, stayed] = [range(), range(), range()];
  // Beyond k more devices nothing changes.
  const beyond = Math.min(hidden, k);
  // Of a day any number of devices may be left out, and all of these may have stayed.
  const isOpen = hours !== undefined && hidden > beyond;
  const note = (t: number, n: number, s: number): void => {
    if (s > most) return;
    const s1 = stayedOf(t, s, rules, hours?.devices);
    if (nearest(s1, step) !== staysDevices) return;
    const found = secondStays(s, s1, staysCount, rules, hours);
    if (!found) return;
    widen(complement, n - s, isOpen ? Number.POSITIVE_INFINITY : n - s);
    widen(second, found.min, found.max);
    widen(stayed, s, isOpen && s === n ? Number.POSITIVE_INFINITY : s);
  };
  for (let t = told.min; t <= told.max; t++)
    for (let n = t; n <= t + beyond; n++) for (const s of candidates(n, staysDevices, k, hours !== undefined)) note(t, n, s);
  return { complement, second, stayed };
}

/** The published stays of a row, and what an attacker knows beside them. */
type PublishedStays = Pick<StaysRow, "bound" | "staysDevices" | "staysCount" | "hours"> & { readonly most: number };

/** More stays than a row has. */
const MANY = 1e9;

/** The devices that can have stayed: near the published number, all of them, or fewer than k. In a day with few hours, many that are left out. */
function* candidates(n: number, staysDevices: number, k: number, isDay: boolean): Generator<number> {
  const from = staysDevices === 0 ? 0 : Math.max(0, staysDevices - 2 * k);
  const to = staysDevices + (isDay ? 4 : 2) * k;
  for (let s = from; s <= Math.min(n, to); s++) yield s;
  if (isDay && n > to) yield n;
}

/** Returns how many stays more than devices that stayed are possible; undefined if none is. */
function secondStays(s: number, s1: number, staysCount: number, rules: AreaRules, hours: StaysOfHours | undefined): Interval | undefined {
  if (s1 === 0) return staysCount === 0 ? { min: 0, max: Number.POSITIVE_INFINITY } : undefined;
  const found = range();
  for (let c = s; c <= Math.max(s, s1, staysCount) + 2 * rules.k; c++)
    if (nearest(countedOf(s1, c, rules, hours?.count), deviceStepOf(rules)) === staysCount) widen(found, c - s, c - s);
  // Of a day any number of stays may be left out.
  if (hours && nearest(countedOf(s1, MANY, rules, hours.count), deviceStepOf(rules)) === staysCount) widen(found, found.min, MANY);
  return found.min <= found.max ? found : undefined;
}

function range(): { min: number; max: number } {
  return { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
}

function widen(to: { min: number; max: number }, min: number, max: number): void {
  to.min = Math.min(to.min, min);
  to.max = Math.max(to.max, max);
}

/**
 * Returns what is published of a count in the hours of a day's place.
 * @param numbers of its hours, 0 where the row is withheld or none is told
 */
export function hoursOfCount(numbers: readonly number[]): HoursOfCount {
  const told = numbers.filter((number) => number > 0);
  return {
    largest: Math.max(0, ...told),
    sum: told.reduce((sum, number) => sum + number, 0),
    absent: numbers.length - told.length,
  };
}

/** Attacks the devices that stayed in a day, but not in one of its hours. */
export function attackOtherHours(day: StaysAttacked, hour: StaysAttacked): Attacked {
  const [inDay, inHour] = [day.few, hour.few];
  const devices = inDay.devices === undefined || inHour.devices === undefined ? undefined : inDay.devices - inHour.devices;
  const min = Math.max(0, inDay.min - inHour.max);
  return { min, max: inDay.max - inHour.min, devices, isRefuted: min === 0 };
}

import { type AreaRules, devicesOf, hasHours } from "../area-rules.ts";
import { type Bound, mostOf } from "../bounds.ts";
import type { Attacked } from "../verdicts.ts";
import { topOf } from "../world.ts";
import type { Bucket } from "./levels.ts";

/** An hour of a day: its bounds, and the truth if it is known. */
type Hour = Pick<Bucket, "bounds" | "truth">;

/**
 * Attacks what a told day has beyond each of its told hours: the devices that were seen at other hours only.
 * @param day with the bounds of the day, which know its hours
 */
export function attackDay(day: Bucket, hours: readonly Hour[]): Attacked[] {
  const found: Attacked[] = [];
  for (const [id, daily] of day.bounds) {
    if (daily.number === 0) continue;
    for (const { bounds, truth } of hours) {
      const hourly = bounds.get(id);
      if (!hourly || hourly.number === 0) continue;
      const inHour = truth?.get(id)?.devices;
      const inDay = day.truth?.get(id)?.devices;
      found.push({
        min: Math.max(0, Math.max(daily.told.min - hourly.told.max, daily.above) - hourly.hidden),
        max: daily.told.max + daily.hidden - hourly.told.min,
        devices: inHour === undefined || inDay === undefined ? undefined : inDay - inHour,
        isRefuted: isRefuted(id, daily, hourly, inHour, day),
      });
    }
  }
  return found;
}

/** Attacks each withheld hour of a told day: what the day has beyond what its other hours can have. */
export function attackWithheldHours(day: Bucket, hours: readonly Hour[]): Attacked[] {
  const { places, rules } = day;
  const found: Attacked[] = [];
  for (const [id, { number, told }] of day.bounds) {
    const level = places.get(id)?.level;
    if (number === 0 || !hasHours(level, rules)) continue;
    // An hour of which nothing around is told has fewer than 2k devices at most, like every withheld row.
    const all = hours.map(({ bounds, truth }) => {
      const bound = bounds.get(id);
      return {
        isTold: (bound?.number ?? 0) > 0,
        most: bound ? mostOf(bound) : 2 * (rules.k - 1),
        devices: truth && (truth.get(id)?.devices ?? 0),
      };
    });
    const most = all.reduce((sum, hour) => sum + hour.most, 0);
    for (const hour of all)
      if (!hour.isTold)
        found.push({ min: Math.max(0, told.min - (most - hour.most)), max: hour.most, devices: hour.devices, isRefuted: false });
  }
  return found;
}

/** Whether a world has no such devices: one found for the day, or, for the finest rows, an hour as large as the day with the same number. */
function isRefuted(id: string, daily: Bound, hourly: Bound, inHour: number | undefined, { places, rules, worlds }: Bucket): boolean {
  if (places.get(id)?.level === rules.finestLevel && daily.number === hourly.number) return true;
  return worlds.some(({ counts, unproven }) => !unproven.has(topOf(places, id)) && counts.get(id)?.devices === inHour);
}

/** A cell's published number at a tick, and in the hour around it, with the true devices if they are known. */
export interface TickInHour {
  readonly tick: number;
  readonly hour: number;
  readonly truth: { readonly tick: number; readonly hour: number } | undefined;
}

/** A cell's published number at a tick, and of the day around it, with the true devices if they are known. */
export interface TickInDay {
  readonly tick: number;
  readonly day: number;
  readonly truth: { readonly tick: number; readonly day: number } | undefined;
}

/** Attacks what the day of a cell has beyond a tick. The day may have more devices than it is told for. */
export function attackTickOfDay({ tick, day, truth }: TickInDay, rules: AreaRules): Attacked {
  const [inTick, inDay] = [devicesOf(tick, rules, true), devicesOf(day, rules, false)];
  const min = inTick && inDay ? Math.max(0, inDay.min - inTick.max) : 0;
  return { min, max: Number.POSITIVE_INFINITY, devices: truth && truth.day - truth.tick, isRefuted: false };
}

/** Attacks what an hour of a cell has beyond a tick: the devices that were there at other moments only. Both are rounded on their own. */
export function attackTick({ tick, hour, truth }: TickInHour, rules: AreaRules): Attacked {
  const [inTick, inHour] = [devicesOf(tick, rules, true), devicesOf(hour, rules, true)];
  if (!inTick || !inHour) return { min: 0, max: Number.POSITIVE_INFINITY, devices: truth && truth.hour - truth.tick, isRefuted: false };
  const min = Math.max(0, inHour.min - inTick.max);
  return { min, max: inHour.max - inTick.min, devices: truth && truth.hour - truth.tick, isRefuted: min === 0 };
}

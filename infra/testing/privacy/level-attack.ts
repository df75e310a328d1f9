import { type Bounds, type Hours, type Interval, mostOf, type Parts } from "./bounds.ts";

/** A set of devices that an attacker is after: how many it can have by all he knows, and how many it has. */
export interface AttackedSet extends Interval {
  readonly devices: number;
}

/** An hour or a day: what an attacker concluded of its geographies, and their true devices. A geography without devices is not in it. */
export interface Attacked {
  readonly parts: Parts;
  readonly bounds: Bounds;
  readonly devices: ReadonlyMap<string, number>;
}

/** How many sets have 1 to k - 1 devices, and what an attacker learns of them. */
export interface Verdict {
  readonly considered: number;
  /** Sets of which he knows that they are not empty. */
  readonly shown: number;
  /** Sets of which he knows that they have 1 to k - 1 devices. */
  readonly recovered: number;
  /** Sets, of any size, of which he is wrong: a defect of the attack, or of what is published. */
  readonly wrong: number;
}

/** Scores an attack. */
export function verdictOf(sets: readonly AttackedSet[], k: number): Verdict {
  const few = sets.filter(({ devices }) => devices >= 1 && devices < k);
  const shown = few.filter(({ least }) => least > 0);
  return {
    considered: few.length,
    shown: shown.length,
    recovered: shown.filter(({ most }) => most < k).length,
    wrong: sets.filter(({ devices, least, most }) => devices < least || devices > most).length,
  };
}

/** Attacks each withheld part of a told geography, and all of them together: what the whole has beyond what its other parts can have. */
export function attackWithheld({ parts, bounds, devices }: Attacked): AttackedSet[] {
  return [...bounds].flatMap(([place, { number, told }]) => {
    const inside = (parts.get(place) ?? []).map((part) => ({ part, bound: boundIn(bounds, part) }));
    const most = inside.reduce((sum, { bound }) => sum + mostOf(bound), 0);
    const withheld = inside.filter(({ bound }) => bound.number === 0);
    if (number === 0 || withheld.length === 0) return [];
    const together = withheld.reduce((sum, { bound }) => sum + bound.hidden, 0);
    const beyond = (own: number): number => Math.max(0, told.least - (most - own));
    return [
      ...withheld.map(({ part, bound: { hidden } }) => ({ devices: devices.get(part) ?? 0, least: beyond(hidden), most: hidden })),
      { devices: withheld.reduce((sum, { part }) => sum + (devices.get(part) ?? 0), 0), least: beyond(together), most: together },
    ];
  });
}

/** Attacks what each told geography has beyond each told one within it. */
export function attackDifferences({ parts, bounds, devices }: Attacked): AttackedSet[] {
  const around = new Map([...bounds.keys()].flatMap((place) => (parts.get(place) ?? []).map((part) => [part, place] as const)));
  return [...bounds].flatMap(([place, inner]) => {
    const found: AttackedSet[] = [];
    let above = 0;
    for (let name = around.get(place); inner.number > 0 && name !== undefined; name = around.get(name)) {
      const outer = boundIn(bounds, name);
      if (outer.number === 0) break;
      above += outer.above;
      const more = (devices.get(name) ?? 0) - (devices.get(place) ?? 0);
      const least = Math.max(outer.told.least - inner.told.most, above) - inner.hidden;
      found.push({ devices: more, least: Math.max(0, least), most: mostOf(outer) - inner.told.least });
    }
    return found;
  });
}

/** Attacks the devices that were in both of two told parts, where a told geography has no other told one: |A| + |B| - |A or B|. */
export function attackOverlaps({ parts, bounds, devices }: Attacked): AttackedSet[] {
  return [...bounds].flatMap(([place, whole]) => {
    const own = parts.get(place) ?? [];
    const [a, b, ...more] = own.filter((part) => boundIn(bounds, part).number > 0);
    // What other parts have is not in the sum, so the true overlap is known only where they are empty.
    const isAlone = own.every((part) => part === a || part === b || !devices.has(part));
    if (whole.number === 0 || a === undefined || b === undefined || more.length > 0 || !isAlone) return [];
    const [first, second] = [boundIn(bounds, a), boundIn(bounds, b)];
    const others = own.reduce((sum, part) => sum + (part === a || part === b ? 0 : mostOf(boundIn(bounds, part))), 0);
    const together = Math.max(whole.told.least - others, first.told.least, second.told.least);
    return [
      {
        devices: (devices.get(a) ?? 0) + (devices.get(b) ?? 0) - (devices.get(place) ?? 0),
        least: Math.max(0, first.told.least + second.told.least - mostOf(whole)),
        most: Math.min(mostOf(first) + mostOf(second) - together, mostOf(first), mostOf(second)),
      },
    ];
  });
}

/** Attacks what a told day has beyond each of its told hours. */
export function attackDay(day: Attacked, hours: readonly Attacked[]): AttackedSet[] {
  return [...day.bounds].flatMap(([place, daily]) =>
    hours.flatMap(({ bounds, devices }) => {
      const hourly = boundIn(bounds, place);
      if (daily.number === 0 || hourly.number === 0) return [];
      const least = Math.max(daily.told.least - hourly.told.most, daily.above) - hourly.hidden;
      const more = (day.devices.get(place) ?? 0) - (devices.get(place) ?? 0);
      return [{ devices: more, least: Math.max(0, least), most: mostOf(daily) - hourly.told.least }];
    }),
  );
}

/** Attacks each withheld hour of a told day: what the day has beyond what its other hours can have. */
export function attackHours(day: Attacked, hours: readonly Attacked[]): AttackedSet[] {
  return [...day.bounds].flatMap(([place, { number, told }]) => {
    const all = hours.map(({ bounds, devices }) => ({ bound: boundIn(bounds, place), devices: devices.get(place) ?? 0 }));
    const most = all.reduce((sum, { bound }) => sum + mostOf(bound), 0);
    return number === 0
      ? []
      : all.flatMap(({ bound, devices }) => {
          const own = mostOf(bound);
          return bound.number > 0 ? [] : [{ devices, least: Math.max(0, told.least - (most - own)), most: own }];
        });
  });
}

/** Returns what the hours of a day tell of each geography. */
export function hoursOf(hours: readonly Bounds[]): ReadonlyMap<string, Hours> {
  const [first] = hours;
  return new Map(
    [...(first?.keys() ?? [])].map((place) => {
      const all = hours.map((bounds) => boundIn(bounds, place));
      const told = all.filter(({ number }) => number > 0);
      const sum = {
        least: told.reduce((total, bound) => total + bound.told.least, 0),
        most: all.reduce((total, bound) => total + mostOf(bound), 0),
      };
      const busiest = Math.max(0, ...told.map((bound) => bound.told.least));
      return [place, { largest: Math.max(0, ...told.map(({ number }) => number)), busiest, sum }];
    }),
  );
}

function boundIn(bounds: Bounds, place: string) {
  const bound = bounds.get(place);
  if (!bound) throw new RangeError(`${place} has no bound`);
  return bound;
}

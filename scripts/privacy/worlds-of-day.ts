import { type Counts, type DecidedRows, publishDay, publishHour } from "./area-rule.ts";
import type { World } from "./attacks/levels.ts";
import type { Country } from "./dataset.ts";
import { contradictions, TURNS, topOf, worldWithout } from "./world.ts";

/** A day as it was delivered and as the rule decides it. */
export interface DecidedDay {
  readonly hours: ReadonlyMap<string, { readonly truth: Counts; readonly decided: DecidedRows }>;
  readonly truth: Counts;
  readonly decided: DecidedRows;
}

/** The worlds of a day's buckets that stand against an attacker. */
export interface DayWorlds {
  readonly hours: ReadonlyMap<string, readonly World[]>;
  readonly day: readonly World[];
}

type Parts = ReadonlyMap<string, readonly string[]>;

/**
 * Returns worlds for each hour and for the day. What one proves holds where the rest of the day either stays as it was delivered, or is a
 * world of the same kind: a day has no fewer devices than any of its hours, and no more than all of them.
 */
export function worldsOfDay(country: Country, parts: Parts, day: DecidedDay): DayWorlds {
  const turns = Array.from({ length: TURNS }, (_, turn) => turnOf(country, parts, day, turn));
  return {
    hours: new Map([...day.hours.keys()].map((hour) => [hour, turns.flatMap((turn) => turn.hours.get(hour) ?? [])])),
    day: turns.map((turn) => turn.day),
  };
}

function turnOf(
  { places, activities: rules }: Country,
  parts: Parts,
  day: DecidedDay,
  turn: number,
): { hours: ReadonlyMap<string, World>; day: World } {
  const decidedHours = [...day.hours.values()].map(({ decided }) => decided);
  const hours = [...day.hours].map(([hour, { truth, decided }]) => {
    const counts = worldWithout(places, parts, rules, truth, decided, turn);
    return { hour, truth, counts, wrong: contradictions(places, parts, counts, publishHour(places, rules, counts), decided) };
  });
  const counts = worldWithout(places, parts, rules, day.truth, day.decided, turn);
  const wrong = contradictions(places, parts, counts, publishDay(places, rules, counts, decidedHours), day.decided);
  const truths = hours.map((hour) => hour.truth);
  const worlds = hours.map((hour) => hour.counts);
  const top = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.map((id) => topOf(places, id)));
  // Everything replaced at once.
  const wrongTogether = union([wrong, ...hours.map((hour) => hour.wrong), top(impossible(counts, worlds))]);
  return {
    hours: new Map(
      hours.map(({ hour, counts: own, wrong: inHour }, index) => {
        const alone = union([inHour, top(impossible(day.truth, truths.with(index, own)))]);
        return [hour, { counts: own, unproven: inBoth(alone, wrongTogether) }];
      }),
    ),
    day: { counts, unproven: inBoth(union([wrong, top(impossible(counts, truths))]), wrongTogether) },
  };
}

/** Returns the places whose day has fewer devices than an hour, or more than all of them. A day that is not there yet contradicts nothing. */
function impossible(day: Counts, hours: readonly Counts[]): string[] {
  if (day.size === 0) return [];
  const ids = new Set([day, ...hours].flatMap((counts) => [...counts.keys()]));
  return [...ids].filter((id) => {
    const inDay = day.get(id)?.devices ?? 0;
    let [sum, most] = [0, 0];
    for (const counts of hours) {
      const here = counts.get(id)?.devices ?? 0;
      sum += here;
      most = Math.max(most, here);
    }
    return inDay < most || inDay > sum;
  });
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function inBoth(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one].filter((id) => other.has(id)));
}

import type { Chance } from "./chance.ts";

/** Ids of no sample geography. */
const UNKNOWN = [1, 7, 99, 123_456_789, 9_007_199_254_740_991];

/** Draws some known ids and sometimes unknown ones, some of them twice, as numbers, strings or both. */
export function randomIds(chance: Chance, known: readonly number[], countMax: number): (number | string)[] {
  const ids = chance.picks(known, chance.whole(1, countMax));
  if (chance.oneIn(3)) ids.splice(chance.whole(0, ids.length), 0, ...chance.picks(UNKNOWN, chance.whole(1, 3)));
  if (chance.oneIn(20)) ids.splice(0, ids.length, ...chance.picks(UNKNOWN, 2));
  if (chance.oneIn(4)) ids.push(...chance.picks(ids, 3));
  const form = chance.pick<(id: number) => number | string>([Number, String, (id) => (chance.oneIn(2) ? id : String(id))]);
  return ids.map((id) => form(id));
}

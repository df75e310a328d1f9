import { type Counts, type DecidedRows, publishDay, publishHour } from "./area-rule.ts";
import { hasHours, peopleOf } from "./area-rules.ts";
import type { ActivityDay, Country, RawActivity } from "./dataset.ts";
import { LEVEL_TYPES } from "./places.ts";
import type { Pairing } from "./utility.ts";

/**
 * Returns what the rule would publish of a day if so many times as many devices were in every place and hour: how useful published numbers are
 * depends on how many devices a cell has.
 */
export function denserPairings({ places, activities: rules }: Country, raw: ActivityDay<RawActivity>, times: number): Pairing[] {
  const denser = (rows: ReadonlyMap<string, RawActivity>): Counts =>
    new Map([...rows].map(([id, { devices }]) => [id, { devices: times * devices, people: peopleOf(times * devices, rules) }]));
  const hours = [...raw.hours.values()].map((rows) => {
    const counts = denser(rows);
    return { counts, decided: publishHour(places, rules, counts) };
  });
  const day = denser(raw.day);
  const decidedHours = hours.map(({ decided }) => decided);
  const withHours = (counts: Counts): Counts => new Map([...counts].filter(([id]) => hasHours(places.get(id)?.level, rules)));
  const pairingsOf = (bucket: string, counts: Counts, decided: DecidedRows): Pairing[] =>
    [...counts].map(([id, { people }]) => {
      const number = decided.get(id)?.number ?? 0;
      const level = LEVEL_TYPES[Number(id.split("/")[0])] ?? "";
      return {
        product: `activities, ${times} times the devices`,
        level: `${level}, ${bucket}`,
        delivered: people,
        published: number > 0 ? number : undefined,
      };
    });
  return [
    ...hours.flatMap(({ counts, decided }) => pairingsOf("hour", withHours(counts), decided)),
    ...pairingsOf("day", day, publishDay(places, rules, day, decidedHours)),
  ];
}

import type { Target } from "../import/target.ts";
import { attackTick, attackTickOfDay } from "./attacks/hours.ts";
import type { ActivityDay, ActivityValues, Country, PeopleByKey, RawActivity, RawByKey } from "./dataset.ts";
import { placeId } from "./places.ts";
import { readRawTicks, readTicks } from "./read-dataset.ts";
import type { Attacked } from "./verdicts.ts";

/** The sets of what hours and days of cells have beyond ticks. */
interface TickSets {
  readonly hours: readonly Attacked[];
  readonly days: readonly Attacked[];
}

const HOUR_MS = 3_600_000;

/** Attacks the finest cells of each hour, and of the day, by the tick in the middle of the hour, if the finest type is that of the ticks. */
export async function tickSets(
  target: Target,
  { code, activities: rules, places }: Country,
  published: ActivityDay<ActivityValues>,
  raw: ActivityDay<RawActivity> | undefined,
): Promise<TickSets> {
  const hours = [...published.hours.keys()];
  const [first, latest] = [hours[0], hours.at(-1)];
  if (rules.finestLevel !== 0 || first === undefined || latest === undefined) return { hours: [], days: [] };
  const span = { country: code, first, last: new Date(Date.parse(latest) + HOUR_MS).toISOString() };
  const ticks: PeopleByKey = await readTicks(target, span);
  const rawTicks: RawByKey | undefined = raw && (await readRawTicks(target, span));
  const told = [...ticks].map(([id, tick]) => {
    const [hour = "", cell = ""] = id.split(" ");
    return { hour, place: placeId(0, Number(cell)), tick, inTick: rawTicks?.get(id)?.devices };
  });
  return {
    hours: told.flatMap(({ hour, place, tick, inTick }) => {
      const people = published.hours.get(hour)?.get(place)?.people;
      const inHour = raw?.hours.get(hour)?.get(place)?.devices;
      const truth = truthOf(inTick, inHour);
      return people === undefined || !places.has(place) || isImpossible(truth)
        ? []
        : [attackTick({ tick, hour: people, truth: truth && { tick: truth.tick, hour: truth.whole } }, rules)];
    }),
    days: told.flatMap(({ place, tick, inTick }) => {
      const people = published.day.get(place)?.people;
      const truth = truthOf(inTick, raw?.day.get(place)?.devices);
      return people === undefined || !places.has(place) || isImpossible(truth)
        ? []
        : [attackTickOfDay({ tick, day: people, truth: truth && { tick: truth.tick, day: truth.whole } }, rules)];
    }),
  };
}

/** The true devices of a cell at a tick, and in the hour or day around it. */
interface Truth {
  readonly tick: number;
  readonly whole: number;
}

function truthOf(tick: number | undefined, whole: number | undefined): Truth | undefined {
  return tick === undefined || whole === undefined ? undefined : { tick, whole };
}

/** Ticks are drawn on their own in the sample: one with more devices than its hour or day is no tick of it. */
function isImpossible(truth: Truth | undefined): boolean {
  return truth !== undefined && truth.tick > truth.whole;
}

import { boundsOf, type Parts, type Rules } from "./bounds.ts";
import { type Attacked, hoursOf } from "./level-attack.ts";
import { type Bucket, LEVELS, partsOfPlaces, placeName, publishedActivities, type RawRow, RULES, rawActivities } from "./nested-day.ts";

/** A day as an attacker on the levels and hours sees it. */
export interface AttackedDay {
  /** By the start of the hour. */
  readonly hours: ReadonlyMap<string, Attacked>;
  readonly day: Attacked;
}

/** People by the start of the hour or day, and the name of the geography. */
type Numbers = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Returns the day as the service publishes it. */
export async function publishedDay(): Promise<AttackedDay> {
  const [hourly, daily] = await Promise.all([publishedNumbers("hourly"), publishedNumbers("daily")]);
  return attackedDay(RULES, hourly, daily);
}

/** Returns the day as other rules would publish it. `numberOf` is the number of a row; 0 withholds it. */
export async function dayUnder(rules: Rules, numberOf: (row: RawRow) => number): Promise<AttackedDay> {
  const [hourly, daily] = await Promise.all([rawActivities("hourly"), rawActivities("daily")]);
  return attackedDay(rules, byPlace(hourly, numberOf), byPlace(daily, numberOf));
}

async function publishedNumbers(activityType: Bucket): Promise<Numbers> {
  const levels = await Promise.all(
    LEVELS.map(async (level) => [level, await publishedActivities(level, activityType, "sum_unique_people")] as const),
  );
  const numbers = new Map<string, Map<string, number>>();
  for (const [level, values] of levels)
    for (const [key, people] of values) {
      const [bucket = "", id = ""] = key.split(" ");
      add(numbers, bucket, placeName(level, id), people);
    }
  return numbers;
}

async function attackedDay(rules: Rules, hourly: Numbers, daily: Numbers): Promise<AttackedDay> {
  const [parts, rawHours, rawDays] = await Promise.all([partsOfPlaces(), rawActivities("hourly"), rawActivities("daily")]);
  const hours = new Map(
    [...byPlace(rawHours, ({ devices }) => devices)].map(([bucket, devices]) => [
      bucket,
      attacked(parts, rules, hourly.get(bucket), devices),
    ]),
  );
  const [day] = byPlace(rawDays, ({ devices }) => devices);
  if (!day) throw new Error("no day was delivered");
  const [bucket, devices] = day;
  const knownHours = hoursOf([...hours.values()].map(({ bounds }) => bounds));
  return { hours, day: { parts, devices, bounds: boundsOf(parts, rules, daily.get(bucket) ?? new Map(), knownHours) } };
}

function attacked(parts: Parts, rules: Rules, numbers: ReadonlyMap<string, number> = new Map(), devices: Attacked["devices"]): Attacked {
  return { parts, devices, bounds: boundsOf(parts, rules, numbers) };
}

function byPlace(rows: readonly RawRow[], counted: (row: RawRow) => number): Numbers {
  const values = new Map<string, Map<string, number>>();
  for (const row of rows) if (counted(row) > 0) add(values, row.bucket, row.place, counted(row));
  return values;
}

function add(to: Map<string, Map<string, number>>, bucket: string, place: string, value: number): void {
  const values = to.get(bucket) ?? new Map<string, number>();
  to.set(bucket, values.set(place, value));
}

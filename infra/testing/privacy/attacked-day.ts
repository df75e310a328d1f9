import { boundsOf, type Parts, type Rules } from "./bounds.ts";
import { type Attacked, hoursOf } from "./level-attack.ts";

/** A row of an hour or a day. */
interface Row {
  /** The start of its hour or day, ISO 8601. */
  readonly bucket: string;
  /** The name of its geography. */
  readonly place: string;
}

/** A row as it was delivered. */
export interface DeliveredRow extends Row {
  readonly devices: number;
  readonly people: number;
}

/** What was delivered of a day, and the geometry. */
export interface DeliveredDay {
  readonly parts: Parts;
  readonly hourly: readonly DeliveredRow[];
  readonly daily: readonly DeliveredRow[];
}

/** Values by the start of the hour or day, and the name of the geography. */
type ByPlace = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Published people of a day. */
export interface DayNumbers {
  readonly hourly: ByPlace;
  readonly daily: ByPlace;
}

/** A day as an attacker on levels and hours sees it. */
export interface AttackedDay {
  /** By the start of the hour. */
  readonly hours: ReadonlyMap<string, Attacked>;
  readonly day: Attacked;
}

/** Returns what an attacker concludes of a day from its published people. */
export function attackedDay({ parts, hourly, daily }: DeliveredDay, rules: Rules, numbers: DayNumbers): AttackedDay {
  const hours = new Map(
    [...byPlace(hourly, ({ devices }) => devices)].map(([bucket, devices]) => {
      const bounds = boundsOf(parts, rules, numbers.hourly.get(bucket) ?? new Map());
      return [bucket, { parts, devices, bounds }];
    }),
  );
  const [day] = byPlace(daily, ({ devices }) => devices);
  if (!day) throw new Error("no day was delivered");
  const [bucket, devices] = day;
  const told = hoursOf([...hours.values()].map(({ bounds }) => bounds));
  return { hours, day: { parts, devices, bounds: boundsOf(parts, rules, numbers.daily.get(bucket) ?? new Map(), told) } };
}

/** Returns the people of a day as other rules would publish them. `numberOf` is the number of a row; 0 withholds it. */
export function numbersUnder({ hourly, daily }: DeliveredDay, numberOf: (row: DeliveredRow) => number): DayNumbers {
  return { hourly: byPlace(hourly, numberOf), daily: byPlace(daily, numberOf) };
}

/** Returns the values of rows that are not 0. */
export function byPlace<R extends Row>(rows: readonly R[], count: (row: R) => number): ByPlace {
  const values = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const value = count(row);
    if (value === 0) continue;
    const places = values.get(row.bucket) ?? new Map<string, number>();
    values.set(row.bucket, places.set(row.place, value));
  }
  return values;
}

import type { Counts } from "../../../scripts/privacy/area-rule.ts";
import type { AreaRules } from "../../../scripts/privacy/area-rules.ts";
import type { Bucket } from "../../../scripts/privacy/attacks/levels.ts";
import { boundsOf, hoursOf, partsOf } from "../../../scripts/privacy/bounds.ts";
import type { Places } from "../../../scripts/privacy/places.ts";

/** A row of an hour or a day. */
interface Row {
  /** The start of its hour or day, ISO 8601. */
  readonly bucket: string;
  /** The id of its place, as the auditor has it. */
  readonly place: string;
}

/** A row as it was delivered. */
export interface DeliveredRow extends Row {
  readonly devices: number;
  readonly people: number;
}

/** What was delivered of a day, and the geometry. */
export interface DeliveredDay {
  readonly places: Places;
  readonly hourly: readonly DeliveredRow[];
  readonly daily: readonly DeliveredRow[];
}

/** Values by the start of the hour or day, and the id of the place. */
type ByPlace = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Published people of a day. */
export interface DayNumbers {
  readonly hourly: ByPlace;
  readonly daily: ByPlace;
}

/** A day as an attacker on levels and hours sees it, with the truth. No worlds stand against him. */
export interface AttackedDay {
  /** By the start of the hour. */
  readonly hours: ReadonlyMap<string, Bucket>;
  readonly day: Bucket;
}

/** Returns what an attacker concludes of a day from its published people. */
export function attackedDay({ places, hourly, daily }: DeliveredDay, rules: AreaRules, numbers: DayNumbers): AttackedDay {
  const parts = partsOf(places);
  const of = { places, rules, worlds: [] };
  const hours = new Map(
    [...Map.groupBy(hourly, ({ bucket }) => bucket)].map(([bucket, rows]) => {
      const bounds = boundsOf(places, parts, rules, numbers.hourly.get(bucket) ?? new Map());
      return [bucket, { ...of, bounds, truth: countsOf(rows) }];
    }),
  );
  const [day] = daily;
  if (!day) throw new Error("no day was delivered");
  const told = hoursOf([...hours.values()].map(({ bounds }) => bounds));
  const bounds = boundsOf(places, parts, rules, numbers.daily.get(day.bucket) ?? new Map(), told);
  return { hours, day: { ...of, bounds, truth: countsOf(daily) } };
}

function countsOf(rows: readonly DeliveredRow[]): Counts {
  return new Map(rows.flatMap(({ place, devices, people }) => (devices > 0 ? [[place, { devices, people }] as const] : [])));
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

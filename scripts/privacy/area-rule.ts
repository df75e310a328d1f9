import { type AreaRules, nearest } from "./area-rules.ts";
import { type Place, type Places, partOf } from "./places.ts";

/** What a provider delivers of a place and a bucket. A place without devices has no row. */
export interface Count {
  readonly devices: number;
  readonly people: number;
}

/** A row as the rule decides it. */
interface Decided {
  /** n': the devices for which its number is published, 0 for a withheld row. */
  readonly told: number;
  /** The published number of people, 0 for a withheld row. */
  readonly number: number;
  /** The most people that it can have, of what is published of it and within it, 0 for a withheld row. */
  readonly most: number;
  /** The devices that it lacks: what it hands upward as hidden. */
  readonly hidden: number;
  /** Whether it has no room to hide more devices in. */
  readonly isSealed: boolean;
}

/** The hours of a place in a day, decided. */
interface Hours {
  readonly told: number;
  readonly largest: number;
  readonly largestNumber: number;
  /** The sum of their numbers, and how many there are. */
  readonly sum: number;
  readonly present: number;
  readonly absent: number;
}

/** The counts of a bucket by id of the place. */
export type Counts = ReadonlyMap<string, Count>;
/** The decided rows of a bucket by id of the place. Places without devices are not in it. */
export type DecidedRows = ReadonlyMap<string, Decided>;

/**
 * Publishes the areas of one hour, by rules 1 to 10 of `infra/warehouse/privacy.md`. It is written from these sentences alone, and shares
 * nothing with the statements that run: what both say alike is right.
 */
export function publishHour(places: Places, rules: AreaRules, counts: Counts): DecidedRows {
  return publish(places, rules, counts, () => undefined);
}

/** Publishes the areas of a day that has these decided hours. */
export function publishDay(places: Places, rules: AreaRules, counts: Counts, hours: readonly DecidedRows[]): DecidedRows {
  const present = hours.filter((rows) => rows.size > 0);
  return publish(places, rules, counts, (id) => hoursOf(id, present));
}

function hoursOf(id: string, hours: readonly DecidedRows[]): Hours {
  let [told, largest, largestNumber, sum, present, absent] = [0, 0, 0, 0, 0, 0];
  for (const rows of hours) {
    const row = rows.get(id);
    if (row === undefined || row.told === 0) absent++;
    else {
      told += row.told;
      largest = Math.max(largest, row.told);
      largestNumber = Math.max(largestNumber, row.number);
      sum += row.number;
      present++;
    }
  }
  return { told, largest, largestNumber, sum, present, absent };
}

/** The decided parts of a place, summed up. */
interface Parts {
  told: number;
  largest: number;
  largestNumber: number;
  most: number;
  hidden: number;
  sealed: number;
  inhabited: number;
}

function publish(places: Places, rules: AreaRules, counts: Counts, hours: (id: string) => Hours | undefined): DecidedRows {
  const present = [...counts].flatMap(([id, count]) => {
    const place = places.get(id);
    return place && count.devices > 0 ? [{ place, count }] : [];
  });
  const decided = new Map<string, Decided>();
  const parts = new Map<string, Parts>();
  const holds = (id: string): boolean => (counts.get(id)?.devices ?? 0) > 0 && !places.get(id)?.straddles;
  for (const { place, count } of present.sort((a, b) => a.place.level - b.place.level)) {
    const row = decide(place, count, rules, parts.get(place.id) ?? noParts(), hours(place.id));
    decided.set(place.id, row);
    const km = place.level === 0 ? place.around[1] : undefined;
    if (km !== undefined && places.get(km)?.straddles) addTo(parts, km, row);
    const within = place.straddles ? undefined : partOf(place.level, place.around, holds);
    if (within !== undefined) addTo(parts, within, row);
  }
  return decided;
}

function decide(place: Place, { devices: n, people }: Count, rules: AreaRules, parts: Parts, hours: Hours | undefined): Decided {
  const { k, step, finestLevel, isProtected, broken } = rules;
  if (isProtected) return { told: n >= k ? n : 0, number: n >= k ? people : 0, most: 0, hidden: 0, isSealed: false };
  const isFinest = place.level === finestLevel;
  const base = Math.max(parts.largest, hours?.largest ?? 0);
  const baseNumber = Math.max(parts.largestNumber, hours?.largestNumber ?? 0);
  const hidden = isFinest || broken?.has("noTakeOut") ? 0 : Math.max(parts.hidden, n - parts.told);
  const room = isFinest ? 0 : roomOf(place, parts, rules);
  const kept = atLeast(k, broken?.has("noRoom") ? hidden : Math.min(hidden, (k - 1) * (room - 1)));
  const left = kept === 0 ? n - hidden : Math.min(n, parts.told + kept);
  const floor = broken?.has("noFloor") ? 0 : base;
  const floored = Math.max(floor, left);
  const day = hours ? Math.max(floor, Math.min(floored, hours.told + keptOfHours(floored - hours.told, hours.absent, rules))) : floored;
  if (isWithheld(place, day, rules)) return { told: 0, number: 0, most: 0, hidden: n, isSealed: false };
  const isSnapped = base > 0 && day - base < k && !broken?.has("noSnap");
  const told = isSnapped ? base : day;
  const around = mostAround(told, isFinest ? undefined : parts, hours, rules);
  const rounded = Math.max(baseNumber, step, nearest(Math.min(Math.floor((people * told) / n), around), step));
  const number = told === base ? baseNumber : rounded;
  return {
    told,
    number,
    most: Math.min(mostPublishedAs(number, step), around),
    hidden: Math.max(n - told, 0),
    isSealed: room === 0 || kept > 0,
  };
}

/** Returns in how many parts of a place devices can hide. */
function roomOf(place: Place, parts: Parts, { broken }: AreaRules): number {
  const size = broken?.has("roomOfInhabited") ? parts.inhabited : place.parts;
  return Math.max(size - parts.sealed, 0);
}

/** Whether a row that would tell these devices is withheld. */
function isWithheld(place: Place, devices: number, { k, finestLevel, broken }: AreaRules): boolean {
  const least = broken?.has("threshold") ? k - 1 : k;
  return devices < least || (place.straddles && finestLevel === 0 && !broken?.has("straddlingTold"));
}

/** Returns the most people of a row that tells some devices: of its told parts, of its told hours, and of devices that stand for the most people. */
function mostAround(told: number, parts: Parts | undefined, hours: Hours | undefined, { step, peoplePerDevice }: AreaRules): number {
  const beside = (devices: number): number => Math.floor(Math.max(told - devices, 0) * peoplePerDevice);
  return Math.min(
    parts === undefined ? Number.POSITIVE_INFINITY : parts.most + beside(parts.told),
    hours === undefined ? Number.POSITIVE_INFINITY : hours.sum + hours.present * mostPublishedAs(0, step) + beside(hours.told),
  );
}

/** Returns the most people that are published as a number. */
function mostPublishedAs(number: number, step: number): number {
  return number + Math.floor((step - 1) / 2);
}

function keptOfHours(beyond: number, absent: number, { k, broken }: AreaRules): number {
  if (broken?.has("hoursWithoutRoom")) return Math.max(beyond, 0);
  const capacity = (k - 1) * (absent - 1);
  return Math.min(beyond, capacity) >= k ? capacity : 0;
}

function atLeast(k: number, value: number): number {
  return value >= k ? value : 0;
}

function noParts(): Parts {
  return { told: 0, largest: 0, largestNumber: 0, most: 0, hidden: 0, sealed: 0, inhabited: 0 };
}

function addTo(all: Map<string, Parts>, id: string, { told, number, most, hidden, isSealed }: Decided): void {
  const parts = all.get(id) ?? noParts();
  all.set(id, parts);
  parts.told += told;
  parts.largest = Math.max(parts.largest, told);
  parts.largestNumber = Math.max(parts.largestNumber, number);
  parts.most += most;
  parts.hidden += hidden;
  parts.sealed += isSealed ? 1 : 0;
  parts.inhabited += 1;
}

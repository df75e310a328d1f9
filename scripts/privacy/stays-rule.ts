import { type AreaRules, deviceStepOf, nearest } from "./area-rules.ts";

/** The stays of a row: the devices that stayed, their stays (one each at least), and their minutes. */
export interface Stays {
  readonly devices: number;
  readonly count: number;
  readonly minutes: number;
}

/** What is published of a count in a place's hours: the largest number, their sum, and how many hours of the day have none. */
export interface HoursOfCount {
  readonly largest: number;
  readonly sum: number;
  readonly absent: number;
}

/** The published stays of a day's hours. */
export interface StaysOfHours {
  readonly devices: HoursOfCount;
  readonly count: HoursOfCount;
}

const NONE: Stays = { devices: 0, count: 0, minutes: 0 };
/** A row without hours. */
const ALONE: HoursOfCount = { largest: 0, sum: Number.POSITIVE_INFINITY, absent: 0 };
/** Dwell minutes are published stays times their mean to this many minutes. */
const MINUTES = 5;

/**
 * Publishes the stays of a row of the finest level by rule 11 of `infra/warehouse/privacy.md`. A day's minutes are not these, but those of its
 * hours.
 * @param told n' of the row
 * @param hours of a day
 */
export function publishStays(told: number, stays: Stays, rules: AreaRules, hours?: StaysOfHours): Stays {
  const { k, isProtected } = rules;
  if (isProtected) return told >= k ? stays : NONE;
  const stayed = stayedOf(told, stays.devices, rules, hours?.devices);
  if (stayed === 0) return NONE;
  const step = deviceStepOf(rules);
  const devices = nearest(stayed, step);
  const mean = MINUTES * Math.floor((2 * stays.minutes + MINUTES * stays.devices) / (2 * MINUTES * stays.devices));
  return { devices, count: nearest(countedOf(stayed, stays.count, rules, hours?.count), step), minutes: devices * mean };
}

/** Returns for how many devices that stayed a number is published. */
export function stayedOf(told: number, devices: number, rules: AreaRules, hours: HoursOfCount = ALONE): number {
  const { k, broken } = rules;
  const { largest } = broken?.has("staysWithoutHours") ? ALONE : hours;
  const [own, all] = [beside(devices, rules, hours), beside(told, rules, hours)];
  // Of fewer, one of the two parts has always fewer than k devices, and telling the other would tell that it is not empty.
  if (own - largest < k || all - largest < 2 * k - 1) return largest;
  return !broken?.has("staysNotSnapped") && all - own < k ? all : own;
}

/** Returns for how many stays a number is published. */
export function countedOf(stayed: number, count: number, rules: AreaRules, hours: HoursOfCount = ALONE): number {
  const { k, broken } = rules;
  const own = beside(count, rules, hours);
  const least = Math.max(stayed, broken?.has("staysWithoutHours") ? 0 : hours.largest);
  return !broken?.has("staysNotSnapped") && own - least < k ? least : own;
}

/** Returns what of a day's count can be told: of what its hours do not have, what the others could hide without any one of them being forced. */
function beside(count: number, { k, broken }: AreaRules, { sum, absent }: HoursOfCount): number {
  if (sum === Number.POSITIVE_INFINITY || broken?.has("staysWithoutHours")) return count;
  const room = (k - 1) * (absent - 1);
  return Math.min(count, sum + (Math.min(count - sum, room) >= k ? room : 0));
}

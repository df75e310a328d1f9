import type { Chance } from "./chance.ts";
import { civilDay, dateAfter, type Span } from "./civil-days.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface WindowLimits {
  readonly timeZone: string;
  /** The first and the last civil day with data. */
  readonly first: string;
  readonly last: string;
  /** The longest window in hours. */
  readonly hoursMax: number;
}

/** The times of a request. */
export interface RandomWindow {
  readonly start_time: string;
  readonly end_time: string;
}

/** Kinds of windows, drawn with equal probability. */
const KINDS: readonly ((chance: Chance, limits: WindowLimits) => Span)[] = [
  // Whole civil days of the country.
  (chance, limits) => {
    const date = dayIn(chance, limits);
    const days = chance.whole(1, Math.max(1, Math.floor(limits.hoursMax / 24)));
    const last = Array.from({ length: days - 1 }).reduce<string>(dateAfter, date);
    return { start: civilDay(limits.timeZone, date).start, end: civilDay(limits.timeZone, last).end };
  },
  // Whole UTC days, which are not civil days here.
  (chance, limits) => lasting(Date.parse(dayIn(chance, limits)), DAY * chance.whole(1, Math.max(1, Math.floor(limits.hoursMax / 24)))),
  // From inside one bucket to inside another.
  (chance, limits) => lasting(minuteIn(chance, limits), MINUTE * chance.whole(1, 60 * limits.hoursMax)),
  (chance, limits) => lasting(minuteIn(chance, limits) + chance.whole(0, 59_999), MINUTE * chance.whole(1, 60 * limits.hoursMax)),
  // Across midnight in the country's zone.
  (chance, limits) => {
    const { start } = civilDay(limits.timeZone, dayIn(chance, limits));
    return { start: start - MINUTE * chance.whole(1, 300), end: start + MINUTE * chance.whole(1, 300) };
  },
  // A minute.
  (chance, limits) => lasting(minuteIn(chance, limits), MINUTE),
  // Whole hours, plus or minus a millisecond: the bounds of buckets.
  (chance, limits) => {
    const start = Math.floor(minuteIn(chance, limits) / HOUR) * HOUR;
    return { start: start + chance.whole(-1, 1), end: start + HOUR * chance.whole(1, limits.hoursMax) + chance.whole(-1, 1) };
  },
  // Partly before the data.
  (chance, limits) => {
    const { start } = civilDay(limits.timeZone, limits.first);
    const minutes = chance.whole(1, 60 * limits.hoursMax - 1);
    return { start: start - MINUTE * (60 * limits.hoursMax - minutes), end: start + MINUTE * minutes };
  },
  // Partly after the data.
  (chance, limits) =>
    lasting(civilDay(limits.timeZone, limits.last).end - MINUTE * chance.whole(1, 60 * limits.hoursMax - 1), HOUR * limits.hoursMax),
  // Wholly in the future, or long before.
  (chance, limits) => lasting(minuteIn(chance, limits) + chance.pick([400, -4000]) * DAY, MINUTE * chance.whole(1, 60 * limits.hoursMax)),
];

/** Draws a window, in one of the allowed forms of times. */
export function randomWindow(chance: Chance, limits: WindowLimits): RandomWindow {
  const { start, end } = chance.pick(KINDS)(chance, limits);
  return { start_time: timeText(chance, start), end_time: timeText(chance, end) };
}

function lasting(start: number, length: number): Span {
  return { start, end: start + length };
}

/** Draws a day with data. */
function dayIn(chance: Chance, { first, last }: WindowLimits): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY);
  return new Date(Date.parse(first) + DAY * chance.whole(0, days)).toISOString().slice(0, 10);
}

function minuteIn(chance: Chance, limits: WindowLimits): number {
  return civilDay(limits.timeZone, dayIn(chance, limits)).start + MINUTE * chance.whole(0, 24 * 60 - 1);
}

/** Formats a time as ISO 8601 with `Z` or an offset, with or without milliseconds, or as a date where that is equivalent. */
function timeText(chance: Chance, time: number): string {
  if (time % DAY === 0 && chance.oneIn(2)) return new Date(time).toISOString().slice(0, 10);
  const [offset, suffix] = chance.pick([
    [0, "Z"],
    [0, "Z"],
    [2 * HOUR, "+02:00"],
    [-5.5 * HOUR, "-05:30"],
  ] as const);
  const text = new Date(time + offset).toISOString().slice(0, -1);
  return `${text.endsWith(".000") && chance.oneIn(2) ? text.slice(0, -4) : text}${suffix}`;
}

import type { Chance } from "./chance.ts";
import { civilDay, dateAfter, type Span } from "./civil-days.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Around {
  readonly timeZone: string;
  /** The first and the last civil day with data. */
  readonly first: string;
  readonly last: string;
  /** Longest window, hours. */
  readonly hoursMax: number;
}

/** The times of a request. */
export interface RandomWindow {
  readonly start_time: string;
  readonly end_time: string;
}

/** Ways in which a window can lie; each is drawn as often as the others. */
const KINDS: readonly ((chance: Chance, around: Around) => Span)[] = [
  // Whole civil days of the country.
  (chance, around) => {
    const date = dayIn(chance, around);
    const days = chance.whole(1, Math.max(1, Math.floor(around.hoursMax / 24)));
    const last = Array.from({ length: days - 1 }).reduce<string>(dateAfter, date);
    return { start: civilDay(around.timeZone, date).start, end: civilDay(around.timeZone, last).end };
  },
  // Whole UTC days, which are no civil days here.
  (chance, around) => lasting(Date.parse(dayIn(chance, around)), DAY * chance.whole(1, Math.max(1, Math.floor(around.hoursMax / 24)))),
  // From inside one bucket to inside another.
  (chance, around) => lasting(minuteIn(chance, around), MINUTE * chance.whole(1, 60 * around.hoursMax)),
  (chance, around) => lasting(minuteIn(chance, around) + chance.whole(0, 59_999), MINUTE * chance.whole(1, 60 * around.hoursMax)),
  // Across midnight in the country's zone.
  (chance, around) => {
    const { start } = civilDay(around.timeZone, dayIn(chance, around));
    return { start: start - MINUTE * chance.whole(1, 300), end: start + MINUTE * chance.whole(1, 300) };
  },
  // A minute.
  (chance, around) => lasting(minuteIn(chance, around), MINUTE),
  // Whole hours, and a millisecond more or less: what touches a bucket and what does not.
  (chance, around) => {
    const start = Math.floor(minuteIn(chance, around) / HOUR) * HOUR;
    return { start: start + chance.whole(-1, 1), end: start + HOUR * chance.whole(1, around.hoursMax) + chance.whole(-1, 1) };
  },
  // Partly before the data.
  (chance, around) => {
    const { start } = civilDay(around.timeZone, around.first);
    const minutes = chance.whole(1, 60 * around.hoursMax - 1);
    return { start: start - MINUTE * (60 * around.hoursMax - minutes), end: start + MINUTE * minutes };
  },
  // Partly after the data.
  (chance, around) =>
    lasting(civilDay(around.timeZone, around.last).end - MINUTE * chance.whole(1, 60 * around.hoursMax - 1), HOUR * around.hoursMax),
  // Wholly in the future, or long before.
  (chance, around) => lasting(minuteIn(chance, around) + chance.pick([400, -4000]) * DAY, MINUTE * chance.whole(1, 60 * around.hoursMax)),
];

/** A random window, in one of the forms that times may have. */
export function randomWindow(chance: Chance, around: Around): RandomWindow {
  const { start, end } = chance.pick(KINDS)(chance, around);
  return { start_time: timeText(chance, start), end_time: timeText(chance, end) };
}

function lasting(start: number, length: number): Span {
  return { start, end: start + length };
}

/** A day with data. */
function dayIn(chance: Chance, { first, last }: Around): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY);
  return new Date(Date.parse(first) + DAY * chance.whole(0, days)).toISOString().slice(0, 10);
}

function minuteIn(chance: Chance, around: Around): number {
  return civilDay(around.timeZone, dayIn(chance, around)).start + MINUTE * chance.whole(0, 24 * 60 - 1);
}

/** ISO 8601 with `Z` or an offset, with or without milliseconds; a date where it says the same. */
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

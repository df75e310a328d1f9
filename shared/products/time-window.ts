import { utcOffset } from "../countries/utc-offsets.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

/** A half-open time window: it includes the start and excludes the end. */
export interface TimeWindow {
  readonly start: Date;
  readonly end: Date;
}

/** The part of a window that a synchronous preview shows at most, from the window's start. */
export type PreviewSpan = "24 hours" | "civil day";

/** Returns the civil date `YYYY-MM-DD` of an instant in an IANA time zone. */
export function civilDate(instant: Date, timeZone: string): string {
  const offset = utcOffset(instant, timeZone);
  if (offset === undefined) return dateFormat(timeZone).format(instant);
  return new Date(instant.getTime() + offset * MINUTE_MS).toISOString().slice(0, 10);
}

/** Returns the first and last civil day that a window overlaps, both inclusive. */
export function civilDays({ start, end }: TimeWindow, timeZone: string): { readonly first: string; readonly last: string } {
  return {
    first: civilDate(start, timeZone),
    last: civilDate(new Date(end.getTime() - 1), timeZone),
  };
}

/**
 * Returns the first and last civil day of the hours that a window overlaps, both inclusive. Hours are UTC hours and belong to the day in
 * which they begin. If a zone's midnight lies within a UTC hour, the first hour can belong to the day before the window.
 */
export function civilDaysOfHours({ start, end }: TimeWindow, timeZone: string): { readonly first: string; readonly last: string } {
  const hourOf = (time: number): Date => new Date(Math.floor(time / HOUR_MS) * HOUR_MS);
  return { first: civilDate(hourOf(start.getTime()), timeZone), last: civilDate(hourOf(end.getTime() - 1), timeZone) };
}

/** Returns the number of UTC hours that a window overlaps. */
export function hourCount({ start, end }: TimeWindow): number {
  return Math.ceil(end.getTime() / HOUR_MS) - Math.floor(start.getTime() / HOUR_MS);
}

/** Returns the number of civil days that a window overlaps in a time zone. */
export function civilDayCount(window: TimeWindow, timeZone: string): number {
  const { first, last } = civilDays(window, timeZone);
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

/** Returns bounds for the starts of the hours that overlap a window: an hour overlaps if `after < start of hour < before`. */
export function hourBounds({ start, end }: TimeWindow): {
  readonly after: Date;
  readonly before: Date;
} {
  return { after: new Date(start.getTime() - HOUR_MS), before: end };
}

/** Returns the starts of the UTC hours that a window overlaps, in order. */
export function hourStarts(window: TimeWindow): Date[] {
  const first = Math.floor(window.start.getTime() / HOUR_MS);
  return Array.from({ length: hourCount(window) }, (_, hour) => new Date((first + hour) * HOUR_MS));
}

/** Returns the starts of the civil days that a window overlaps in a time zone, in order. */
export function civilDayStarts(window: TimeWindow, timeZone: string): Date[] {
  const { first } = civilDays(window, timeZone);
  return Array.from({ length: civilDayCount(window, timeZone) }, (_, day) => civilDayStart(dateAfter(first, day), timeZone));
}

/** Returns the end of the longest part of a window that a preview shows: a civil day is the first that the window overlaps in a time zone. */
export function previewEnd(span: PreviewSpan, { start }: TimeWindow, timeZone: string): Date {
  return span === "civil day" ? civilDayStart(dateAfter(civilDate(start, timeZone), 1), timeZone) : new Date(start.getTime() + DAY_MS);
}

/** Returns the first instant of a civil day, to the minute: midnight, or later where clocks skip it. */
function civilDayStart(date: string, timeZone: string): Date {
  // No zone is more than 15 hours from UTC.
  let [before, from] = [Date.parse(date) - 15 * HOUR_MS, Date.parse(date) + 15 * HOUR_MS];
  while (from - before > MINUTE_MS) {
    const middle = before + Math.floor((from - before) / MINUTE_MS / 2) * MINUTE_MS;
    if (civilDate(new Date(middle), timeZone) < date) before = middle;
    else from = middle;
  }
  return new Date(from);
}

/** Returns the date `YYYY-MM-DD` so many days after another; before it, if they are negative. */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format;
}

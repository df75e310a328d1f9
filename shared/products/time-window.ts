const HOUR_MS = 3_600_000;

/** A half-open time window: it includes the start and excludes the end. */
export interface TimeWindow {
  readonly start: Date;
  readonly end: Date;
}

/** Returns the civil date `YYYY-MM-DD` of an instant in an IANA time zone. */
export function civilDate(instant: Date, timeZone: string): string {
  return dateFormat(timeZone).format(instant);
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
  return (Date.parse(last) - Date.parse(first)) / (24 * HOUR_MS) + 1;
}

/** Returns bounds for the starts of the hours that overlap a window: an hour overlaps if `after < start of hour < before`. */
export function hourBounds({ start, end }: TimeWindow): {
  readonly after: Date;
  readonly before: Date;
} {
  return { after: new Date(start.getTime() - HOUR_MS), before: end };
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

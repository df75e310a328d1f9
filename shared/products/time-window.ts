const HOUR_MS = 3_600_000;
/** A half-open window of time: the start is in it, the end is not. */
export interface TimeWindow {
  readonly start: Date;
  readonly end: Date;
}

/** The civil date `YYYY-MM-DD` of an instant in an IANA time zone. */
export function civilDate(instant: Date, timeZone: string): string {
  return dateFormat(timeZone).format(instant);
}

/** The civil days that a window overlaps, first and last, both inclusive. */
export function civilDays({ start, end }: TimeWindow, timeZone: string): { readonly first: string; readonly last: string } {
  return {
    first: civilDate(start, timeZone),
    last: civilDate(new Date(end.getTime() - 1), timeZone),
  };
}

/**
 * The civil days of the hours that a window overlaps, first and last, both inclusive. Hours are UTC hours, each of the day in which it
 * begins: in a zone whose midnight lies within one, the first hour may be of the day before the window's own.
 */
export function civilDaysOfHours({ start, end }: TimeWindow, timeZone: string): { readonly first: string; readonly last: string } {
  const hourOf = (time: number): Date => new Date(Math.floor(time / HOUR_MS) * HOUR_MS);
  return { first: civilDate(hourOf(start.getTime()), timeZone), last: civilDate(hourOf(end.getTime() - 1), timeZone) };
}

/** How many UTC hours a window overlaps. */
export function hourCount({ start, end }: TimeWindow): number {
  return Math.ceil(end.getTime() / HOUR_MS) - Math.floor(start.getTime() / HOUR_MS);
}

/** How many civil days a window overlaps in a time zone. */
export function civilDayCount(window: TimeWindow, timeZone: string): number {
  const { first, last } = civilDays(window, timeZone);
  return (Date.parse(last) - Date.parse(first)) / (24 * HOUR_MS) + 1;
}

/** The bounds of the starts of those hours that overlap a window: an hour is in it if `after < start of hour < before`. */
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

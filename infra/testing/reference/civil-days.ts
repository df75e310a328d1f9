const formats = new Map<string, Intl.DateTimeFormat>();
/** A cache of days by zone and date: Intl is slow, and a table has a million rows. */
const days = new Map<string, Map<string, Span>>();

/** A time span: start inclusive, end exclusive, in milliseconds since 1970. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the window of a request. Its times are ISO 8601 with an offset, or dates. */
export function windowOf({ start_time, end_time }: { readonly start_time: string; readonly end_time: string }): Span {
  return { start: Date.parse(start_time), end: Date.parse(end_time) };
}

/** Returns the part of a window that a synchronous preview covers: its first 24 hours. */
export function firstDay<Request extends { readonly start_time: string; readonly end_time: string }>(
  request: Request,
): { readonly shown: Request; readonly truncated: boolean } {
  const { start, end } = windowOf(request);
  const truncated = end - start > 24 * 3_600_000;
  return { shown: truncated ? { ...request, end_time: new Date(start + 24 * 3_600_000).toISOString() } : request, truncated };
}

/** Returns the part of a window that a preview of the matrix covers: its first civil day. */
export function firstCivilDay<Request extends { readonly start_time: string; readonly end_time: string }>(
  request: Request,
  timeZone: string,
): { readonly shown: Request; readonly truncated: boolean } {
  const { start, end } = windowOf(request);
  const dates = [-1, 0, 1].map((days) => new Date(start + days * 86_400_000).toISOString().slice(0, 10));
  const day = dates.map((date) => civilDay(timeZone, date)).find((span) => overlap(span, { start, end: start + 1 }));
  if (!day) throw new RangeError(`${request.start_time} is in no civil day of ${timeZone}`);
  const truncated = end > day.end;
  return { shown: truncated ? { ...request, end_time: new Date(day.end).toISOString() } : request, truncated };
}

/** Returns whether two spans overlap. */
export function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Returns the hour that begins at a time. */
export function hourFrom(start: number): Span {
  return { start, end: start + 3_600_000 };
}

/** Returns a civil day (`2026-03-29`) of a time zone, with 23 to 25 hours. Throws a RangeError when the day has no midnight. */
export function civilDay(timeZone: string, date: string): Span {
  const known = days.get(timeZone) ?? new Map<string, Span>();
  days.set(timeZone, known);
  const day = known.get(date) ?? { start: startOf(timeZone, date), end: startOf(timeZone, dateAfter(date)) };
  known.set(date, day);
  return day;
}

/** Returns the next date. */
export function dateAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

function startOf(timeZone: string, date: string): number {
  const midnight = Date.parse(date);
  // The zone's offset at the first guess may differ from that at the second, hence two steps.
  let time = midnight;
  for (let turn = 0; turn < 2; turn++) time = midnight - (wallClock(timeZone, time) - time);
  if (wallClock(timeZone, time) !== midnight) throw new RangeError(`${date} has no midnight in ${timeZone}`);
  return time;
}

/** Returns a zone's local time as if it were UTC. */
function wallClock(timeZone: string, time: number): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`);
}

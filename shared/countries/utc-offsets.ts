import table from "../../infra/generated/utc-offsets.json" with { type: "json" };

/** The offsets of time zones from UTC, between two instants. */
export interface UtcOffsets {
  readonly from: string;
  readonly until: string;
  /** By IANA time zone: the offset in minutes east of UTC, by the instant from which it holds, in order. */
  readonly zones: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const { from, until, zones }: UtcOffsets = table;
const [FIRST, END] = [Date.parse(from), Date.parse(until)];

interface Change {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly minutes: number;
}
const changes = new Map<string, readonly Change[]>();

/** Whether the table has a time zone: those of the built-in countries. */
export function hasUtcOffsets(timeZone: string): boolean {
  return Object.hasOwn(zones, timeZone);
}

/**
 * Returns a time zone's offset from UTC in minutes, positive east of it. Undefined for zones and times that the table does not have: Intl knows them, but
 * loads the data of all languages first, which takes a cold start 10 ms and 6 MiB.
 */
export function utcOffset(instant: Date, timeZone: string): number | undefined {
  const time = instant.getTime();
  if (!hasUtcOffsets(timeZone) || time < FIRST || time >= END) return undefined;
  return changesOf(timeZone).findLast(({ since }) => since <= time)?.minutes;
}

function changesOf(timeZone: string): readonly Change[] {
  const known = changes.get(timeZone);
  if (known) return known;
  const parsed = Object.entries(zones[timeZone] ?? {}).map(([since, minutes]) => ({ since: Date.parse(since), minutes }));
  changes.set(timeZone, parsed);
  return parsed;
}

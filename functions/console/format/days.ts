const DAY_MS = 86_400_000;

/** The instant at which a civil day (`2026-11-22`) begins in a time zone, as ISO 8601 in UTC. */
export function dayStart(day: string, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The offset at midnight UTC may be that of before a change of the clocks.
  const guess = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(guess, zone)).toISOString();
}

/** The day after, or days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The last of at most so many whole days that begin with a day: one fewer where the clocks go back in them, because the service counts days
 * of 24 hours.
 */
export function lastOfDays(first: string, most: number, zone: string): string {
  const last = addDays(first, most - 1);
  const isTooLong = Date.parse(dayStart(addDays(last, 1), zone)) - Date.parse(dayStart(first, zone)) > most * DAY_MS;
  return isTooLong ? addDays(last, -1) : last;
}

/** The civil day of an instant in a time zone. */
export function dayOf(instant: string | number, zone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: zone }).format(new Date(instant));
}

function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(instant);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

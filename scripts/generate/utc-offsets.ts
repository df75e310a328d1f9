import type { UtcOffsets } from "../../shared/countries/utc-offsets.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The years whose data are asked for: from before the first loaded day to well beyond the last. */
const FROM = "2015-01-01T00:00Z";
const UNTIL = "2050-01-01T00:00Z";

/**
 * Returns the offsets of time zones from UTC as this Node.js knows them (its ICU, from the IANA database), from 2015 to 2049. A release of Node.js with
 * another law of a country changes the table, so `npm run generate` is due then.
 */
export function utcOffsets(zones: readonly string[]): UtcOffsets {
  return { from: FROM, until: UNTIL, zones: Object.fromEntries([...new Set(zones)].sort().map((zone) => [zone, changesOf(zone)])) };
}

/** Returns the offset by the instant from which it holds. Assumes that an offset holds for a day at least. */
function changesOf(zone: string): Readonly<Record<string, number>> {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetAt = (time: number): number => minutesOf(format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "");
  const [from, until] = [Date.parse(FROM), Date.parse(UNTIL)];
  const changes = new Map([[FROM, offsetAt(from)]]);
  for (let day = from; day < until; day += DAY_MS) {
    let [before, after] = [day, day + DAY_MS];
    if (offsetAt(before) === offsetAt(after)) continue;
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / MINUTE_MS / 2) * MINUTE_MS;
      if (offsetAt(middle) === offsetAt(day)) before = middle;
      else after = middle;
    }
    changes.set(`${new Date(after).toISOString().slice(0, 16)}Z`, offsetAt(after));
  }
  return Object.fromEntries(changes);
}

/** Parses `GMT`, `GMT+02:00` or `GMT-03:30` into minutes. */
function minutesOf(name: string): number {
  const [, sign = "", hours, minutes] = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(name) ?? [];
  if (hours === undefined && name !== "GMT") throw new Error(`${name} is no offset in whole minutes`);
  return Number(`${sign}1`) * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
}

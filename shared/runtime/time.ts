const DAY_MS = 86_400_000;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+ -]\d{2})(?::?(\d{2}))?))?$/i;

const YEAR = "(19[7-9][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])";
const DAY = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))";
const TIME = "(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?|24:00(:00(\\.0{1,9})?)?)";
const OFFSET = "([Zz]|[+ -]([01][0-9]|2[0-3])(:?[0-5][0-9])?)";
/** The texts that `parseInstant` accepts, in any regex dialect; besides those, 29 February of any year. */
export const INSTANT_PATTERN = `^${YEAR}-${DAY}([Tt]${TIME}${OFFSET})?$`;

/** Returns whether a text has the form of a time that `parseInstant` accepts. Its day, hour or year may still be none. */
export function isWrittenAsInstant(text: string): boolean {
  return ISO.test(text);
}

/**
 * Parses an ISO 8601 time with an offset (`+02:00`, `+0200`, `+02`) or `Z`; a bare date is midnight UTC. A space may stand for the plus of
 * an offset, since an unencoded plus in a query becomes a space. Returns undefined for anything else, for days that do not exist
 * (30 February) and for years outside 1970 to 9998, which the warehouse and civil days can hold with a day to spare.
 */
export function parseInstant(text: string): Date | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, year = "", month = "", day = "", hour = "00", minute = "00", second = "00", fraction = "", hours, minutes = "00"] = match;
  // A day that does not exist is counted into another month.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCMonth() !== Number(month) - 1) return undefined;
  const millis = fraction.slice(0, 3).padEnd(3, "0");
  const instant = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${hours ? `${hours.replace(" ", "+")}:${minutes}` : "Z"}`,
  );
  const time = instant.getTime();
  return Number.isNaN(time) || time < 0 || Number(year) > 9998 ? undefined : instant;
}

/** Returns the UTC date `YYYY-MM-DD` of an instant: the day for which daily limits count. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Returns the whole seconds until the UTC day of an instant ends, at least 1. */
export function secondsLeftOfUtcDay(instant: Date): number {
  const end = Date.parse(utcDate(instant)) + DAY_MS;
  return Math.ceil((end - instant.getTime()) / 1000);
}

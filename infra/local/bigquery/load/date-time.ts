const DATE_TIME =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[Tt ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?\s*(?:(Z|z|UTC|GMT)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?$/;

/**
 * Parses a date with an optional time to microseconds since 1970. Undefined if the text is invalid. `zone` says whether an offset is
 * allowed; without one it is UTC.
 */
export function microsOfDateTime(text: string, zone: "optional" | "none"): bigint | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", utc, sign, offsetHours = "0", offsetMinutes = "0"] =
    match;
  if (zone === "none" && (utc !== undefined || sign !== undefined)) return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // A month or a day out of range rolls over to another.
  const isDay = new Date(at).getUTCMonth() === Number(month) - 1 && new Date(at).getUTCDate() === Number(day);
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const seconds = BigInt(at / 1000) + BigInt((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second));
  return seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** Parses a time to microseconds since midnight. Undefined if the text is invalid. */
export function microsOfTime(text: string): bigint | undefined {
  const [, hour, minute, second, fraction = ""] = TIME.exec(text.trim()) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return BigInt((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

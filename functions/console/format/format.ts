import { country } from "../session/session.ts";

const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en-GB", { notation: "compact", maximumSignificantDigits: 3 });
const DECIMAL = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });

/** 12,345 */
export function formatCount(value: number): string {
  return WHOLE.format(value);
}

/** 12.3K */
export function formatShort(value: number): string {
  return SHORT.format(value);
}

/** 1.23 */
export function formatDecimal(value: number): string {
  return value >= 1000 ? WHOLE.format(value) : DECIMAL.format(value);
}

/** 1.2 MB */
export function formatBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const unit = units[step] ?? "byte";
  // "1 byte" and "83 bytes", since the short form has no plural.
  const unitDisplay = unit === "byte" ? "long" : "short";
  return new Intl.NumberFormat("en-GB", { style: "unit", unit, unitDisplay, maximumSignificantDigits: 3 }).format(bytes / 1000 ** step);
}

/** The time zone of the country that the pages show. */
export function timeZone(): string {
  return country.value?.time_zone ?? "UTC";
}

/** 22 Nov 2026, 14:05, in a time zone. */
export function formatTime(instant: string | number, zone = timeZone()): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(new Date(instant));
}

/** 14:05, in a time zone. */
export function formatClock(instant: string | number, zone = timeZone()): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(new Date(instant));
}

/** Sun 22 Nov, of a civil day. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** 22 Nov 2026, of a civil day. */
export function formatDate(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

/** The name of a time zone's present offset, for example `Europe/Tallinn (GMT+2)`. */
export function formatZone(zone = timeZone()): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(new Date());
  return `${zone} (${parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT"})`;
}

import { addDays, dayOf, dayStart } from "../format/days.ts";
import { timeZone } from "../format/format.ts";

const SOON_MS = 14 * 86_400_000;

/** The last day on which a key works, whole or in part; undefined for a key without an end. */
export function lastDayOf(expiresAt: string | null): string | undefined {
  return expiresAt === null ? undefined : dayOf(Date.parse(expiresAt) - 1, timeZone());
}

/** The end of a key that works to the end of a day; null for none. */
export function endAfter(day: string): string | null {
  return day === "" ? null : dayStart(addDays(day, 1), timeZone());
}

/** Whether a key has ended, or ends within two weeks. */
export function stateOf(expiresAt: string | null, now = Date.now()): "ended" | "soon" | undefined {
  if (expiresAt === null) return undefined;
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "ended";
  return left <= SOON_MS ? "soon" : undefined;
}

import { UsageError } from "../usage-error.ts";

const MINUTE_MS = 60_000;

/** Parses a time. Throws a UsageError. */
export function instant(option: string, given: string): Date {
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError(`${option} ${JSON.stringify(given)} is not a time; example: 2026-11-21T12:00:00Z`);
  return time;
}

/** Returns the last whole minute at or before a time: Firestore clones whole minutes. */
export function wholeMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);
}

const MINUTE_MS = 60_000;

/** Returns the last whole minute at or before a time: Firestore clones whole minutes. */
export function wholeMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);
}

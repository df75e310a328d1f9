/** The bytes that a customer's queries count for on one UTC day. */
export interface DayBytes {
  readonly date: string;
  readonly bytes: number;
}

/** Returns the UTC date `YYYY-MM-DD` of an instant: the day that its bytes count for. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Returns the bytes that count for the UTC day of an instant. */
export function bytesOn(day: DayBytes | undefined, instant: Date): number {
  return day?.date === utcDate(instant) ? day.bytes : 0;
}

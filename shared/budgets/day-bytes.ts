import { utcDate } from "../runtime/time.ts";

/** BigQuery's minimum per table that a query reads, in bytes. Source: https://cloud.google.com/bigquery/pricing */
export const TABLE_BYTES_MIN = 10 * 1024 * 1024;

/** The bytes that a customer's queries count for on one UTC day. */
export interface DayBytes {
  readonly date: string;
  readonly bytes: number;
}

/** A customer's limit, and the day of its jobs: the fields of a customer that budgets need. */
export interface Budget {
  readonly limits: { readonly bytesPerDay: number };
  readonly bytesToday?: DayBytes | undefined;
}

/** Returns the bytes that count for the UTC day of an instant. */
export function bytesOn(day: DayBytes | undefined, instant: Date): number {
  return day?.date === utcDate(instant) ? day.bytes : 0;
}

/**
 * Returns the bytes that the queries of a customer may still read on the UTC day of an instant, at least 0.
 * @param leased the bytes leased for interactive queries on this day
 */
export function bytesLeft({ limits, bytesToday }: Budget, leased: number, instant: Date): number {
  return Math.max(0, limits.bytesPerDay - bytesOn(bytesToday, instant) - leased);
}

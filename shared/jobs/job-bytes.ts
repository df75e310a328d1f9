import type { DayBytes } from "../budgets/day-bytes.ts";
import { utcDate } from "../runtime/time.ts";

/**
 * The bytes that a job counts for in its customer's day. `reserved` is what its present attempt is expected to read, until that is known;
 * `billed` is what its queries were billed so far. Both count for the UTC day of the submission, whenever the job runs.
 */
export interface JobBytes {
  readonly date: string;
  readonly reserved: number;
  readonly billed: number;
}

interface HasBytes {
  readonly bytes: JobBytes | null;
}

/** Returns the bytes of a new job. */
export function reservation(now: Date, reserved: number): JobBytes {
  return { date: utcDate(now), reserved, billed: 0 };
}

/** Returns the bytes of a job that will not be billed for its present attempt. */
export function released(bytes: JobBytes | null): JobBytes | null {
  return bytes && { ...bytes, reserved: 0 };
}

/**
 * Returns a job with what its queries were billed in all, and without its reservation if it is over. The same again changes nothing, and a
 * smaller bill never replaces a larger one. Undefined if nothing changes.
 */
export function settled<J extends HasBytes>(job: J, billed: number, isOver: boolean): J | undefined {
  const { bytes } = job;
  if (!bytes) return undefined;
  const after = { ...bytes, reserved: isOver ? 0 : bytes.reserved, billed: Math.max(bytes.billed, billed) };
  return after.reserved === bytes.reserved && after.billed === bytes.billed ? undefined : { ...job, bytes: after };
}

/** Returns the bytes that a job counts for. */
export function bytesOf(job: HasBytes | undefined): number {
  return job?.bytes ? job.bytes.reserved + job.bytes.billed : 0;
}

/**
 * Returns a customer's day after one of its jobs has changed. `before` is undefined for a new job. A new job can begin a new day; what
 * happens to a job of an earlier day changes nothing.
 */
export function dayAfter(day: DayBytes | undefined, before: HasBytes | undefined, after: HasBytes): DayBytes | undefined {
  const { bytes } = after;
  if (!bytes || (day && day.date > bytes.date)) return day;
  const counted = day?.date === bytes.date ? day.bytes : 0;
  return { date: bytes.date, bytes: Math.max(0, counted + bytesOf(after) - bytesOf(before)) };
}

import type { JSX } from "preact";
import { formatBytes, formatClock, formatZone } from "../format/format.ts";
import { limitsOf } from "../session/limits.ts";
import { session } from "../session/session.ts";
import { text } from "../texts.ts";

const DAY_MS = 86_400_000;

/**
 * Says what the customer's keys may still read today, and warns before a job that would read more, which the service refuses.
 * @param needed the bytes that the job would read at most; undefined while they are not known
 */
export function BytesLeft({ needed }: { readonly needed: number | undefined }): JSX.Element | null {
  const { most, used = 0 } = (session.value && limitsOf(session.value.me).find(({ name }) => name === "bytesPerDay")) ?? {};
  if (most === undefined) return null;
  const left = Math.max(0, most - used);
  const values = { left: formatBytes(left), most: formatBytes(most), time: formatClock(nextDay(Date.now())), zone: formatZone() };
  return needed !== undefined && needed > left ? (
    <p class="notice">{text("jobs.tooManyBytes", values)}</p>
  ) : (
    <p class="hint">{text("jobs.bytesLeft", values)}</p>
  );
}

/** The instant at which the next day of the limits, in UTC, begins. */
function nextDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

import { ServiceError } from "../http/errors.ts";
import { secondsLeftOfUtcDay } from "../runtime/time.ts";

const GB = 1_000_000_000;
const DAY_SECONDS = 86_400;

/** A customer's day: the limit, what is left of it, and what was asked for. In bytes. */
interface Refused {
  readonly limit: number;
  readonly left: number;
  readonly asked: number;
}

/** Returns the error for a query or a job that would exceed its customer's day. */
export function budgetRefusal({ limit, left, asked }: Refused, now: Date): ServiceError {
  const seconds = secondsLeftOfUtcDay(now);
  const advice = asked > limit ? "ask for fewer days or geographies" : "ask for less, or wait for the next day (UTC)";
  const detail = `This would read up to ${inGb(asked)}; ${inGb(left)} are left of the ${inGb(limit)} that a customer may read a day: ${advice}`;
  return new ServiceError("resource_exhausted", detail, {
    headers: {
      "retry-after": String(seconds),
      "ratelimit-policy": `"bytes";q=${limit};w=${DAY_SECONDS}`,
      ratelimit: `"bytes";r=${Math.floor(left)};t=${seconds}`,
    },
  });
}

function inGb(bytes: number): string {
  return `${(bytes / GB).toLocaleString("en", { maximumFractionDigits: 2 })} GB`;
}

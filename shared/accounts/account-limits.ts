import { ServiceError } from "../http/errors.ts";

/** The most machine accounts of a customer, and the most that it creates within an hour. Operators may create more. */
const ACCOUNTS_MAX = 100;
const NEW_PER_HOUR_MAX = 20;
const HOUR_MS = 3_600_000;

/** Returns the times of creations that still count, the oldest first. */
export function creationsSince(created: readonly Date[], now: Date): Date[] {
  return created.filter((at) => now.getTime() - at.getTime() < HOUR_MS).sort((one, other) => one.getTime() - other.getTime());
}

/**
 * Returns the error for one machine account more, or undefined. Rotations and removals are not counted, so that a customer can always end a
 * key.
 * @param recent the creations of the last hour, the oldest first
 */
export function creationRefusal(accounts: number, recent: readonly Date[], now: Date): ServiceError | undefined {
  if (accounts >= ACCOUNTS_MAX)
    return new ServiceError("resource_exhausted", `A customer may have at most ${ACCOUNTS_MAX} machine accounts; remove some first`, {
      headers: { "retry-after": "3600" },
    });
  const first = recent.at(-NEW_PER_HOUR_MAX);
  if (!first) return undefined;
  const seconds = Math.max(1, Math.ceil((first.getTime() + HOUR_MS - now.getTime()) / 1000));
  const detail = `At most ${NEW_PER_HOUR_MAX} machine accounts may be created in an hour; existing ones can still be rotated and removed`;
  return new ServiceError("resource_exhausted", detail, { headers: { "retry-after": String(seconds) } });
}

import * as v from "valibot";
import { ExpiresAt, expiryFault, expiryOf } from "../../../shared/accounts/key-expiry.ts";
import type { Grants } from "../../../shared/accounts/key-grants.ts";
import { UsageError } from "../usage-error.ts";

/** The option `--expires`: a time, or `none` (null) for a key without an end. */
export const expires = v.optional(
  v.union(
    [
      v.pipe(
        v.literal("none"),
        v.transform(() => null),
      ),
      ExpiresAt,
    ],
    "must be a time such as 2027-03-31T22:00:00Z, or none",
  ),
);

/** Returns the end of a new key: the one that was asked for, else the present one. Throws a UsageError unless it lies ahead. */
export function endOf(asked: Date | null | undefined, present: Grants | undefined, now: Date): Date | null {
  const expiresAt = expiryOf(asked, present);
  const fault = expiryFault(expiresAt, now);
  if (fault !== undefined) throw new UsageError(`--expires ${fault}; none removes it`);
  return expiresAt;
}

import * as v from "valibot";
import { parseInstant } from "../runtime/time.ts";
import type { Grants } from "./key-grants.ts";

/** How far ahead the end of a key may lie, in days. A later one is most likely a mistake; a key without an end is said with null. */
const DAYS_MAX = 730;

const PATTERN = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$";
const FORM = new RegExp(PATTERN);
const MESSAGE =
  "must be a time in ISO 8601 with seconds and an offset or Z, for example 2027-03-31T22:00:00Z, or null for a key without an end";

/** The end of a key in a request: a time (RFC 3339), without the shorter forms of other times. */
export const ExpiresAt = v.pipe(
  v.string(MESSAGE),
  v.description(`From when on the key is refused: a time in the future, at most ${DAYS_MAX} days ahead; null for a key without an end`),
  v.metadata({ pattern: PATTERN, examples: ["2027-03-31T22:00:00Z"] }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = FORM.test(dataset.value) ? parseInstant(dataset.value) : undefined;
    if (instant) return instant;
    addIssue({ message: MESSAGE });
    return NEVER;
  }),
);

/** Returns what is wrong with the new end of a key. Undefined for a good one, and for none. */
export function expiryFault(expiresAt: Date | null | undefined, now: Date): string | undefined {
  if (!expiresAt) return undefined;
  if (expiresAt <= now) return `must be in the future; it is ${now.toISOString()} now`;
  const latest = new Date(now.getTime() + DAYS_MAX * 86_400_000);
  return expiresAt > latest ? `must be at most ${DAYS_MAX} days ahead: ${latest.toISOString()} or earlier` : undefined;
}

/** Returns the end of a rotated or changed key: the one that is asked for (null for none), else the present one. */
export function expiryOf(asked: Date | null | undefined, present: Pick<Grants, "expiresAt"> | undefined): Date | null {
  return asked === undefined ? (present?.expiresAt ?? null) : asked;
}

/** Returns whether a key is past its end. */
export function isExpired({ expiresAt }: Pick<Grants, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && expiresAt !== undefined && expiresAt <= now;
}

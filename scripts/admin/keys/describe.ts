import type { KeyDetails } from "../../../shared/accounts/keys-admin.ts";
import { list, minute } from "../print.ts";

/** A key for scripts: never the key itself. */
export function keyJson({ createdAt, rotatedAt, lastUsedAt, ...key }: KeyDetails) {
  return {
    ...key,
    createdAt: createdAt.toISOString(),
    rotatedAt: rotatedAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** A key for people, as a row. */
export function keyRow({ keyLabel, keyHint, createdAt, rotatedAt, lastUsedAt, ...key }: KeyDetails) {
  return {
    label: keyLabel,
    hint: `${keyHint}…`,
    scopes: list(scopesOf(key)),
    countries: list(key.countries),
    created: minute(createdAt),
    rotated: rotatedAt > createdAt ? minute(rotatedAt) : "–",
    "last used": lastUsedAt ? minute(lastUsedAt) : "–",
  };
}

/** What a key may do, in the words of `scopes grant`, without its countries. */
export function scopesOf({ service, scopes, machineAccountAdmin }: Pick<KeyDetails, "service" | "scopes" | "machineAccountAdmin">) {
  return [...scopes, ...(service === "warehouse" ? ["warehouse"] : []), ...(machineAccountAdmin ? ["machine-account-admin"] : [])];
}

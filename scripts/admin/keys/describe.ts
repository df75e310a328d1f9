import type { LastUse } from "../../../shared/accounts/key-uses.ts";
import type { KeyDetails } from "../../../shared/accounts/keys-admin.ts";
import { list, minute } from "../print.ts";

type UsedKey = KeyDetails & LastUse;

/** Returns a key's `--json` form, without the key itself. */
export function keyJson({ createdAt, rotatedAt, lastUsedAt, expiresAt, ...key }: UsedKey) {
  return {
    ...key,
    createdAt: createdAt.toISOString(),
    rotatedAt: rotatedAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** Returns a key as a table row. */
export function keyRow({ keyLabel, keyHint, createdAt, rotatedAt, lastUsedAt, lastUsedFrom, expiresAt, ...key }: UsedKey) {
  return {
    label: keyLabel,
    hint: `${keyHint}…`,
    scopes: list(scopesOf(key)),
    countries: list(key.countries),
    created: minute(createdAt),
    rotated: rotatedAt > createdAt ? minute(rotatedAt) : "–",
    "last used": lastUsedAt ? minute(lastUsedAt) : "–",
    from: lastUsedFrom ? `${lastUsedFrom.address ?? "–"} (${lastUsedFrom.client})` : "–",
    expires: expiresAt ? minute(expiresAt) : "–",
  };
}

/** Returns a key's scopes as `scopes grant` names them, without its countries. */
export function scopesOf({ service, scopes, machineAccountAdmin }: Pick<KeyDetails, "service" | "scopes" | "machineAccountAdmin">) {
  return [...scopes, ...(service === "warehouse" ? ["warehouse"] : []), ...(machineAccountAdmin ? ["machine-account-admin"] : [])];
}

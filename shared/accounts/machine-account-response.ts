import type { LastUse } from "./key-uses.ts";
import type { KeyDetails } from "./keys-admin.ts";

/** Returns a machine account's JSON for responses. */
export function machineAccountResponse(account: Pick<KeyDetails, "keyLabel" | "keyHint" | "service" | "scopes" | Times> & LastUse) {
  const { keyLabel, keyHint, service, scopes, createdAt, rotatedAt, lastUsedAt, lastUsedFrom, expiresAt } = account;
  return {
    keyLabel,
    service,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    rotatedAt: rotatedAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedFrom,
    expiresAt: expiresAt?.toISOString() ?? null,
    keyHint,
  };
}

type Times = "createdAt" | "rotatedAt" | "expiresAt";

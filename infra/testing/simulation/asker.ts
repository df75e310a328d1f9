import type { Caller } from "../../../shared/http/caller.ts";
import type { Asker } from "../../../shared/http/define-endpoint.ts";

/** Returns a customer who asks with a key that is never revoked. */
export function askerOf(uid: string, scopes: Caller["scopes"], countries: readonly string[] = ["EST"]): Asker {
  const grants = { scopes, countries, defaultCountry: "EST", machineAccountAdmin: false } as const;
  return {
    caller: { uid, keyLabel: "main", keyHint: "000000", keyId: "main", service: "storage", ...grants },
    key: { id: "main", assertHeld: () => undefined, confirm: async () => undefined },
  };
}

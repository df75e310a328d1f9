import type { Caller } from "../../../shared/http/caller.ts";
import type { Asker } from "../../../shared/http/define-endpoint.ts";

/** Returns a customer who asks with a key that is never revoked. */
export function askerOf(uid: string, scopes: Caller["scopes"]): Asker {
  const grants = { scopes, countries: ["EST"], defaultCountry: "EST", machineAccountAdmin: false } as const;
  return {
    caller: { uid, keyLabel: "main", keyHint: "000000", keyId: "main", service: "storage", ...grants },
    key: { id: "main", assertHeld: () => undefined, confirm: async () => undefined },
  };
}

import { isKey, keyHash, keyHint } from "../accounts/api-key.ts";
import type { FindKey, StoredKey } from "../accounts/api-keys.ts";
import type { Caller } from "./caller.ts";
import type { Auth } from "./define-endpoint.ts";
import { ServiceError } from "./errors.ts";

/** A caller whose key was found, and under which hash. */
export interface Identified {
  readonly hash: string;
  readonly key: StoredKey;
  readonly caller: Caller;
}

/**
 * Who calls, from the header `x-api-key`. A malformed key is refused without a read; any other costs one, without a cache, so that
 * revocation is immediate. Throws `unauthenticated`: one answer for every kind.
 */
export async function identify(presented: string | undefined, environment: string, findKey: FindKey): Promise<Identified> {
  if (presented !== undefined && isKey(presented)) {
    const hash = keyHash(environment, presented);
    const key = await findKey(hash);
    if (key) return { hash, key, caller: { ...key, keyHint: keyHint(presented.toLowerCase()) } };
  }
  throw unknownKey();
}

/** The one answer for every key that is none: malformed, unknown, revoked, or of a customer that is gone. */
export function unknownKey(): ServiceError {
  return new ServiceError("unauthenticated", "A valid API key is required in the header x-api-key");
}

/** Why a caller may not use an endpoint: `permission_denied`, of a suspended customer whatever is asked. Undefined when it may. */
export function refusalOf(caller: Caller, auth: Exclude<Auth, "none">): ServiceError | undefined {
  const denied = (detail: string): ServiceError => new ServiceError("permission_denied", detail);
  if (caller.suspended) return denied("This customer is suspended; support knows why");
  if (auth.scope && !caller.scopes.includes(auth.scope))
    return denied(`This key lacks the ${auth.scope} scope; it is granted in the console or by support`);
  if (auth.machineAccountAdmin && !caller.machineAccountAdmin)
    return denied("This key lacks machine-account admin access; it is granted by support");
  return undefined;
}

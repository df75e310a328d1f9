import { isKey, keyHash } from "../domain/api-key.ts";
import { ServiceError } from "../errors.ts";
import type { Caller } from "../schemas/api-key.ts";
import type { FindKey } from "../stores/api-keys.ts";
import type { Auth } from "./define.ts";

/**
 * Who calls, from the header `x-api-key`. A malformed key is refused without a read; any other costs one, without a cache, so that
 * revocation is immediate. Throws `unauthenticated` (one answer for every kind) and `permission_denied`,
 * of a suspended customer whatever is asked.
 */
export async function authorise(key: string | undefined, auth: Auth, environment: string, findKey: FindKey): Promise<Caller | undefined> {
  if (auth === "none") return undefined;
  const caller = key !== undefined && isKey(key) ? await findKey(keyHash(environment, key)) : undefined;
  if (!caller) throw new ServiceError("unauthenticated", "A valid API key is required in the header x-api-key");
  if (caller.suspended) throw new ServiceError("permission_denied", "This customer is suspended; support knows why");
  if (auth.scope && !caller.scopes.includes(auth.scope))
    throw new ServiceError("permission_denied", `This key lacks the ${auth.scope} scope; it is granted in the console or by support`);
  if (auth.machineAccountAdmin && !caller.machineAccountAdmin)
    throw new ServiceError("permission_denied", "This key lacks machine-account admin access; it is granted by support");
  return caller;
}

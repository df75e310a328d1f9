import type { Caller } from "./caller.ts";
import type { Auth } from "./define-endpoint.ts";
import { ServiceError } from "./errors.ts";

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

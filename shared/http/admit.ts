import { withTimeout } from "../runtime/with-timeout.ts";
import type { Caller, Identified } from "./caller.ts";
import type { Auth } from "./define-endpoint.ts";
import { ServiceError } from "./errors.ts";
import type { Allowance } from "./rate-limit.ts";
import { rateHeaders } from "./rate-limit.ts";
import type { ServeOptions } from "./serve-options.ts";

/** How long a key is looked for, in milliseconds. */
const KEY_MS_MAX = 10_000;

/** A caller who was found, whether or not it is let in: `refusal` tells why not. `headers` belong to the answer either way. */
interface Admission extends Identified {
  readonly refusal: ServiceError | undefined;
  readonly headers: Record<string, string>;
}

/**
 * Finds who calls, from the header `x-api-key`, and whether it may, now: known, not too often, not suspended, and with what the endpoint asks
 * for. Throws `unauthenticated` for every kind of key that opens nothing, and `TimedOut` when keys cannot be looked up in time.
 */
export async function admit(
  presented: string | undefined,
  auth: Exclude<Auth, "none">,
  { config, authenticate, keyMsMax = KEY_MS_MAX }: ServeOptions,
  take: (uid: string) => Allowance,
): Promise<Admission> {
  const identified = presented === undefined ? undefined : await withTimeout(authenticate(presented), keyMsMax);
  if (!identified) throw unknownKey();
  const allowance = take(identified.caller.uid);
  const headers = rateHeaders(config.rate, allowance);
  return { ...identified, headers, refusal: allowance.isAllowed ? refusalOf(identified.caller, auth) : tooMany(allowance) };
}

/** The one answer for every key that is none: malformed, unknown, revoked, or of a customer that is gone. */
export function unknownKey(): ServiceError {
  return new ServiceError("unauthenticated", "A valid API key is required in the header x-api-key");
}

/** Why a caller may not use an endpoint: `permission_denied`, of a suspended customer whatever is asked. Undefined when it may. */
function refusalOf(caller: Caller, auth: Exclude<Auth, "none">): ServiceError | undefined {
  const denied = (detail: string): ServiceError => new ServiceError("permission_denied", detail);
  if (caller.suspended) return denied("This customer is suspended; support knows why");
  if (auth.scope && !caller.scopes.includes(auth.scope))
    return denied(`This key lacks the ${auth.scope} scope; it is granted in the console or by support`);
  if (auth.machineAccountAdmin && !caller.machineAccountAdmin)
    return denied("This key lacks machine-account admin access; it is granted by support");
  return undefined;
}

function tooMany({ retrySeconds }: Allowance): ServiceError {
  return new ServiceError("resource_exhausted", "Too many requests at a time; the header Retry-After tells when to come again", {
    headers: { "retry-after": String(retrySeconds) },
  });
}

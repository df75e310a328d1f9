import { withTimeout } from "../runtime/with-timeout.ts";
import type { Caller, Identified } from "./caller.ts";
import type { Auth } from "./define-endpoint.ts";
import { ServiceError } from "./errors.ts";
import type { Allowance } from "./rate-limit.ts";
import { rateHeaders } from "./rate-limit.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The timeout of a key lookup in milliseconds. */
const KEY_MS_MAX = 10_000;

/** A caller whose key was found. `refusal` is the reason to deny the request, if any. The response carries `headers` either way. */
interface Admission extends Identified {
  readonly refusal: ServiceError | undefined;
  readonly headers: Record<string, string>;
}

/**
 * Authenticates the caller by the header `x-api-key`, and checks its rate limit, its suspension and the endpoint's requirements.
 * Throws `unauthenticated` for every kind of invalid key and for an expired one, and `TimedOut` if the key lookup takes too long.
 */
export async function admit(
  presented: string | undefined,
  auth: Exclude<Auth, "none">,
  { config, authenticate, now, keyMsMax = KEY_MS_MAX }: ServeOptions,
  take: (uid: string) => Allowance,
): Promise<Admission> {
  const identified = presented === undefined ? undefined : await withTimeout(authenticate(presented), keyMsMax);
  if (!identified) throw unknownKey();
  requireUnexpired(identified.caller, now());
  const allowance = take(identified.caller.uid);
  const headers = rateHeaders(config.rate, allowance);
  return { ...identified, headers, refusal: allowance.isAllowed ? refusalOf(identified.caller, auth) : tooMany(allowance) };
}

/**
 * How to authenticate, which a 401 must say (RFC 9110 §11.6.1). No registered scheme fits a key in its own header. Browsers show a login
 * dialog for Basic, Digest and Negotiate only, so they ignore this one.
 */
const CHALLENGE = { "www-authenticate": 'ApiKey realm="populus", in="header", name="x-api-key"' };

/** Returns the same error for every invalid key: malformed, unknown, revoked, or of a deleted customer. */
export function unknownKey(): ServiceError {
  return new ServiceError(
    "unauthenticated",
    "A valid API key is required in the header x-api-key; the token of a login opens only Cloud Storage and BigQuery",
    { headers: CHALLENGE },
  );
}

/** Throws `unauthenticated` for a key past its end. Only the holder of the key learns that it had one. */
function requireUnexpired({ expiresAt }: Pick<Caller, "expiresAt">, now: Date): void {
  if (!expiresAt || now < expiresAt) return;
  throw new ServiceError("unauthenticated", `This API key expired at ${expiresAt.toISOString()}; an admin of the customer can rotate it`, {
    headers: CHALLENGE,
  });
}

/** Returns `permission_denied` if the caller may not use the endpoint, undefined if it may. Suspended customers are always denied. */
function refusalOf(caller: Caller, auth: Exclude<Auth, "none">): ServiceError | undefined {
  const denied = (detail: string): ServiceError => new ServiceError("permission_denied", detail);
  if (caller.suspended) return denied("This customer is suspended; contact support");
  if (auth.scope && !caller.scopes.includes(auth.scope))
    return denied(`This key lacks the ${auth.scope} scope; it is granted in the console or by support`);
  if (auth.machineAccountAdmin && !caller.machineAccountAdmin)
    return denied("This key lacks machine-account admin access; it is granted by support");
  return undefined;
}

function tooMany({ retrySeconds }: Allowance): ServiceError {
  return new ServiceError("resource_exhausted", "Too many requests; retry after the seconds in the header Retry-After", {
    headers: { "retry-after": String(retrySeconds) },
  });
}

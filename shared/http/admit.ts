import { withTimeout } from "../runtime/with-timeout.ts";
import type { Caller, HeldGrants, HeldKey, Identified } from "./caller.ts";
import type { Auth, Endpoint } from "./define-endpoint.ts";
import { ServiceError } from "./errors.ts";
import type { Allowance } from "./rate-limit.ts";
import { rateHeaders } from "./rate-limit.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The timeout of a key lookup in milliseconds. */
const KEY_MS_MAX = 10_000;

type Requirement = Exclude<Auth, "none">;

/** A caller whose key was found. `refusal` is the reason to deny the request, if any. The response carries `headers` either way. */
export interface Admission extends Identified {
  readonly refusal: ServiceError | undefined;
  readonly headers: Record<string, string>;
  readonly key: HeldKey;
  /** Reads the key again and admits the request anew, without counting it. Throws if it is refused now. */
  readonly renew: () => Promise<Admission>;
}

/**
 * Authenticates the caller by the header `x-api-key`, and checks its rate limit, its suspension and the endpoint's requirements.
 * Throws `unauthenticated` for every kind of invalid key and for an expired one, and `TimedOut` if the key lookup takes too long.
 */
export async function admit(
  presented: string | undefined,
  auth: Requirement,
  { config, authenticate, now, keyMsMax = KEY_MS_MAX }: ServeOptions,
  take: (uid: string) => Allowance,
): Promise<Admission> {
  const identify = async () => (presented === undefined ? undefined : withTimeout(authenticate(presented), keyMsMax));
  const found = async (): Promise<Identified> => {
    const identified = await identify();
    if (!identified) throw unknownKey();
    requireUnexpired(identified.caller, now());
    return identified;
  };
  const admission = (identified: Identified, headers: Record<string, string>, refusal: ServiceError | undefined): Admission => {
    const { caller } = identified;
    const assertHeld: HeldKey["assertHeld"] = (present) => {
      if (!present) throw unknownKey();
      requireUnexpired(present, now());
      const refused = refusalOf(present, auth) ?? lossOf(caller, present);
      if (refused) throw refused;
    };
    const key = { id: caller.keyId, assertHeld, confirm: async () => assertHeld((await identify())?.caller) };
    const renew = async () => {
      const again = await found();
      const refused = refusalOf(again.caller, auth);
      if (refused) throw refused;
      return admission(again, headers, undefined);
    };
    return { ...identified, key, headers, refusal, renew };
  };
  const first = await found();
  const allowance = take(first.caller.uid);
  return admission(first, rateHeaders(config.rate, allowance), allowance.isAllowed ? refusalOf(first.caller, auth) : tooMany(allowance));
}

/**
 * Runs an admitted request and checks its key again before it is answered, also with an error that tells of the customer's data. A
 * transaction that has checked the key and written something is answered as it is.
 */
export async function confirmed<T>({ checksKey }: Pick<Endpoint, "checksKey">, { key }: Admission, run: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await run();
  } catch (error) {
    if (error instanceof ServiceError && !SILENT.has(error.code)) await key.confirm();
    throw error;
  }
  if (checksKey === undefined) await key.confirm();
  return result;
}

/** Errors that tell nothing of a customer's data. */
const SILENT: ReadonlySet<ServiceError["code"]> = new Set(["unauthenticated", "permission_denied", "unavailable", "internal"]);

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
function refusalOf(caller: HeldGrants, auth: Requirement): ServiceError | undefined {
  const denied = (detail: string): ServiceError => new ServiceError("permission_denied", detail);
  if (caller.suspended) return denied("This customer is suspended; contact support");
  if (auth.scope && !caller.scopes.includes(auth.scope))
    return denied(`This key lacks the ${auth.scope} scope; it is granted in the console or by support`);
  if (auth.machineAccountAdmin && !caller.machineAccountAdmin)
    return denied("This key lacks machine-account admin access; it is granted by support");
  return undefined;
}

/** Returns `permission_denied` if a key has lost anything that it could do before: its request may rely on it. */
function lossOf(before: HeldGrants, present: HeldGrants): ServiceError | undefined {
  const lost = [
    ...before.scopes.filter((scope) => !present.scopes.includes(scope)),
    ...before.countries.filter((country) => !present.countries.includes(country)),
    ...(before.service === "warehouse" && present.service !== "warehouse" ? ["the warehouse profile"] : []),
    ...(before.machineAccountAdmin && !present.machineAccountAdmin ? ["machine-account admin access"] : []),
  ];
  if (lost.length === 0) return undefined;
  const detail = `This key lost ${lost.join(", ")} during the request; send the request again if it does not need that`;
  return new ServiceError("permission_denied", detail);
}

/** Returns the error for a request beyond the rate limit. */
export function tooMany({ retrySeconds }: Allowance): ServiceError {
  return new ServiceError("resource_exhausted", "Too many requests; retry after the seconds in the header Retry-After", {
    headers: { "retry-after": String(retrySeconds) },
  });
}

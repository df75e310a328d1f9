import { type Identified, identify, refusalOf } from "./authorise.ts";
import type { Auth } from "./define-endpoint.ts";
import { withTimeout } from "./dependency-errors.ts";
import { ServiceError } from "./errors.ts";
import type { Allowance } from "./rate-limit.ts";
import { rateHeaders } from "./rate-limit.ts";
import type { ServeOptions } from "./serve.ts";

/** How long a key is looked for, in milliseconds. */
const KEY_MS_MAX = 10_000;

/** A caller who was found, whether or not it is let in: `refusal` tells why not. `headers` belong to the answer either way. */
interface Admission extends Identified {
  readonly refusal: ServiceError | undefined;
  readonly headers: Record<string, string>;
}

/** Finds who calls and whether it may, now: known, not too often, not suspended, and with what the endpoint asks for. */
export async function admit(
  presented: string | undefined,
  auth: Exclude<Auth, "none">,
  { config, findKey, keyMsMax = KEY_MS_MAX }: ServeOptions,
  take: (uid: string) => Allowance,
): Promise<Admission> {
  const identified = await identify(presented, config.environment, (hash) => withTimeout(findKey(hash), keyMsMax));
  const allowance = take(identified.caller.uid);
  const headers = rateHeaders(config.rate, allowance);
  return { ...identified, headers, refusal: allowance.isAllowed ? refusalOf(identified.caller, auth) : tooMany(allowance) };
}

function tooMany({ retrySeconds }: Allowance): ServiceError {
  return new ServiceError("resource_exhausted", "Too many requests at a time; the header Retry-After tells when to come again", {
    headers: { "retry-after": String(retrySeconds) },
  });
}

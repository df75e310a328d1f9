/** The rate limit of a customer. */
export interface RatePolicy {
  readonly perSecond: number;
  /** The maximum number of requests at once, after a period without requests. */
  readonly burst: number;
}

/** The state of a customer's rate limit after a request: how many requests remain, and in how many seconds the full burst is available. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 if this one was. */
  readonly retrySeconds: number;
}

/** How many buckets are kept. The least recently used one is evicted first; it has refilled by then. */
const KEPT_MAX = 10_000;

/**
 * Returns a token bucket per customer, in the memory of one instance of one function. It costs no reads or writes, and limits what an
 * instance does for one customer. The deployment limits the number of instances; the load balancer limits requests by address.
 */
export function createRateLimit({ perSecond, burst }: RatePolicy): (uid: string, nowMs: number) => Allowance {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (uid, nowMs) => {
    const known = buckets.get(uid) ?? { tokens: burst, at: nowMs };
    const tokens = Math.min(burst, known.tokens + (Math.max(0, nowMs - known.at) / 1000) * perSecond);
    const isAllowed = tokens >= 1;
    const left = isAllowed ? tokens - 1 : tokens;
    // Reinserted to keep the map ordered by last use, so that the least recently used bucket comes first.
    buckets.delete(uid);
    buckets.set(uid, { tokens: left, at: nowMs });
    const [oldest] = buckets.keys();
    if (buckets.size > KEPT_MAX && oldest !== undefined) buckets.delete(oldest);
    return {
      isAllowed,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((burst - left) / perSecond),
      retrySeconds: isAllowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
    };
  };
}

/** Returns the rate-limit headers of an allowance. Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. */
export function rateHeaders({ perSecond, burst }: RatePolicy, { remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    "ratelimit-policy": `"customer";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    ratelimit: `"customer";r=${remaining};t=${resetSeconds}`,
  };
}

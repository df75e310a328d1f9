/** How many requests a customer may make. */
export interface RatePolicy {
  readonly perSecond: number;
  /** How many at once, after a rest. */
  readonly burst: number;
}

/** What is left to a customer after a request: how many more at once, and in how many seconds all of them. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when it is now. */
  readonly retrySeconds: number;
}

/** How many customers are remembered: the longest unused bucket goes first, and is full again by then. */
const KEPT_MAX = 10_000;

/**
 * A token bucket for each customer, in the memory of one instance of one function: it costs no read and no write, and bounds what an instance
 * does for one customer. How many instances there are is bounded by the deployment, and requests by address by the load balancer.
 */
export function createRateLimit({ perSecond, burst }: RatePolicy): (uid: string, nowMs: number) => Allowance {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (uid, nowMs) => {
    const known = buckets.get(uid) ?? { tokens: burst, at: nowMs };
    const tokens = Math.min(burst, known.tokens + (Math.max(0, nowMs - known.at) / 1000) * perSecond);
    const isAllowed = tokens >= 1;
    const left = isAllowed ? tokens - 1 : tokens;
    // Set anew, so that the map is in the order of use and the longest unused one comes first.
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

/** The headers of an allowance. Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. */
export function rateHeaders({ perSecond, burst }: RatePolicy, { remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    "ratelimit-policy": `"customer";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    ratelimit: `"customer";r=${remaining};t=${resetSeconds}`,
  };
}

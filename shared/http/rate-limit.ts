import { createHash } from "node:crypto";
import { keepRecent } from "../runtime/keep-recent.ts";

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

/** How many buckets and keys are kept. The least recently used one is evicted first; its bucket has refilled by then. */
const KEPT_MAX = 10_000;

export interface RateLimit {
  /** Takes a token from the customer's bucket, if there is one. `presented` is the key of the request. */
  readonly take: (uid: string, nowMs: number, presented?: string) => Allowance;
  /** Returns the customer of a key that took a token before. It may be revoked since: this is for sharing time, not for access. */
  readonly holderOf: (presented: string) => string | undefined;
  /**
   * Returns the customer of a key that took a token before, as long as its bucket is empty. Such a request is refused without reading the key
   * again: a flood of them would cost a read each, and the other customers' time.
   */
  readonly spent: (presented: string, nowMs: number) => { readonly uid: string; readonly allowance: Allowance } | undefined;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * Returns a token bucket per customer, in the memory of one instance of one function. It costs no reads or writes, and limits what an
 * instance does for one customer. The deployment limits the number of instances; the load balancer limits requests by address.
 */
export function createRateLimit({ perSecond, burst }: RatePolicy): RateLimit {
  const buckets = new Map<string, Bucket>();
  /** The customers of keys, by digest: keys do not stay in memory. */
  const holders = new Map<string, string>();
  const refilled = (uid: string, nowMs: number): Bucket => {
    const known = buckets.get(uid) ?? { tokens: burst, at: nowMs };
    return { tokens: Math.min(burst, known.tokens + (Math.max(0, nowMs - known.at) / 1000) * perSecond), at: nowMs };
  };
  const allowanceOf = (isAllowed: boolean, left: number): Allowance => ({
    isAllowed,
    remaining: Math.floor(left),
    resetSeconds: Math.ceil((burst - left) / perSecond),
    retrySeconds: isAllowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
  });
  return {
    take: (uid, nowMs, presented) => {
      const { tokens } = refilled(uid, nowMs);
      const isAllowed = tokens >= 1;
      const left = isAllowed ? tokens - 1 : tokens;
      keepRecent(buckets, uid, { tokens: left, at: nowMs }, KEPT_MAX);
      if (presented !== undefined) keepRecent(holders, digestOf(presented), uid, KEPT_MAX);
      return allowanceOf(isAllowed, left);
    },
    holderOf: (presented) => holders.get(digestOf(presented)),
    spent: (presented, nowMs) => {
      const uid = holders.get(digestOf(presented));
      if (uid === undefined) return undefined;
      const { tokens } = refilled(uid, nowMs);
      return tokens < 1 ? { uid, allowance: allowanceOf(false, tokens) } : undefined;
    },
  };
}

function digestOf(presented: string): string {
  return createHash("sha256").update(presented).digest("base64url");
}

/** Returns the rate-limit headers of an allowance. Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. */
export function rateHeaders({ perSecond, burst }: RatePolicy, { remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    "ratelimit-policy": `"customer";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    ratelimit: `"customer";r=${remaining};t=${resetSeconds}`,
  };
}

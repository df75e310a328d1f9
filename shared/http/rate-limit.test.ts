import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRateLimit, rateHeaders } from "./rate-limit.ts";

const POLICY = { perSecond: 10, burst: 5 };

describe("the rate limit", () => {
  it("allows a burst, then one request per tenth of a second", () => {
    const { take } = createRateLimit(POLICY);
    expect(Array.from({ length: 7 }, () => take("u1", 0).isAllowed)).toEqual([true, true, true, true, true, false, false]);
    expect(take("u1", 100).isAllowed).toBe(true);
    expect(take("u1", 100).isAllowed).toBe(false);
  });

  it("is separate for each customer", () => {
    const { take } = createRateLimit(POLICY);
    for (let index = 0; index < 6; index++) take("u1", 0);
    expect(take("u1", 0).isAllowed).toBe(false);
    expect(take("u10", 0).isAllowed).toBe(true);
  });

  it("never allows more than the burst and the refill since", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (gaps) => {
        const { take } = createRateLimit(POLICY);
        let now = 0;
        let allowed = 0;
        for (const gap of gaps) {
          now += gap;
          if (take("u1", now).isAllowed) allowed++;
          expect(allowed).toBeLessThanOrEqual(POLICY.burst + (now / 1000) * POLICY.perSecond + 1e-6);
        }
      }),
      { seed: 1 },
    );
  });

  it("returns when to retry, and allows the next request then", () => {
    const { take } = createRateLimit({ perSecond: 0.5, burst: 1 });
    take("u1", 0);
    const { retrySeconds } = take("u1", 0);
    expect(retrySeconds).toBe(2);
    expect(take("u1", 1000).retrySeconds).toBe(1);
    expect(take("u1", 1000 * retrySeconds).isAllowed).toBe(true);
  });

  it("tolerates a clock that goes back", () => {
    const { take } = createRateLimit(POLICY);
    for (let index = 0; index < 5; index++) take("u1", 10_000);
    expect(take("u1", 0).isAllowed).toBe(false);
  });

  it("refuses a key that it knows while its customer's bucket is empty, and no other key", () => {
    const { take, spent, holderOf } = createRateLimit(POLICY);
    expect(holderOf("a")).toBe(undefined);
    for (let index = 0; index < 4; index++) take("u1", 0, "a");
    expect(spent("a", 0)).toBe(undefined);
    take("u1", 0, "a");
    expect(spent("a", 0)).toEqual({ uid: "u1", allowance: take("u1", 0) });
    expect([holderOf("a"), holderOf("b")]).toEqual(["u1", undefined]);
    expect(spent("b", 0)).toBe(undefined);
    // Asking takes nothing: the bucket refills meanwhile.
    expect(spent("a", 99)).toMatchObject({ allowance: { isAllowed: false } });
    expect(spent("a", 100)).toBe(undefined);
    expect(take("u1", 100, "a")).toMatchObject({ isAllowed: true });
  });

  it("reports the remaining requests in headers", () => {
    const { take } = createRateLimit(POLICY);
    expect(rateHeaders(POLICY, take("u1", 0))).toEqual({ "ratelimit-policy": '"customer";q=5;w=1', ratelimit: '"customer";r=4;t=1' });
    const slow = { perSecond: 0.5, burst: 3 };
    const limit = createRateLimit(slow);
    limit.take("u1", 0);
    expect(rateHeaders(slow, limit.take("u1", 1000)).ratelimit).toBe('"customer";r=1;t=3');
  });
});

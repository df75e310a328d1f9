import { describe, expect, it } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

describe("a token bucket", () => {
  it("allows a burst, then tokens at the rate", () => {
    const bucket = new TokenBucket(4, 2, 0);
    expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([true, true, false]);
    expect(bucket.nextAt()).toBe(250);
    expect([bucket.take(249), bucket.take(250), bucket.take(250)]).toEqual([false, true, false]);
  });

  it("never holds more than its capacity", () => {
    const bucket = new TokenBucket(1000, 2, 0);
    const taken = [1, 2, 3].map(() => bucket.take(60_000));
    expect(taken).toEqual([true, true, false]);
  });

  it("has a token at the time of nextAt, also at fractional rates", () => {
    const bucket = new TokenBucket(0.3, 1, 0);
    let now = 0;
    for (let index = 0; index < 1000; index++) {
      expect(bucket.take(now)).toBe(true);
      expect(bucket.take(now)).toBe(false);
      now = bucket.nextAt();
    }
    expect(now).toBeCloseTo((1000 / 0.3) * 1000, 0);
  });
});

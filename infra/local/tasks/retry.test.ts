import { describe, expect, it } from "vitest";
import { backoff, isExhausted, type RetryConfig, retryAfter } from "./retry.ts";

const config: RetryConfig = { maxAttempts: 3, maxRetryDuration: 0, minBackoff: 10_000, maxBackoff: 300_000, maxDoublings: 3 };

describe("the backoff of a queue", () => {
  it("matches Google's example: doubles three times, then grows linearly, then stays constant", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((retry) => backoff(config, retry) / 1000);
    expect(waits).toEqual([10, 20, 40, 80, 160, 240, 300, 300]);
  });

  it("stays finite after thousands of retries", () => {
    expect(backoff({ ...config, maxDoublings: 16 }, 100_000)).toBe(300_000);
  });
});

describe("the end of retrying", () => {
  it("comes with the last attempt", () => {
    expect([2, 3].map((attempts) => isExhausted(config, attempts, 0))).toEqual([false, true]);
  });

  it("needs both limits if both are set", () => {
    const both = { ...config, maxRetryDuration: 5000 };
    expect(isExhausted(both, 3, 4999)).toBe(false);
    expect(isExhausted(both, 2, 5000)).toBe(false);
    expect(isExhausted(both, 3, 5000)).toBe(true);
  });

  it("comes only by the time limit if attempts are unlimited", () => {
    expect(isExhausted({ ...config, maxAttempts: -1 }, 1e6, 1e12)).toBe(false);
    expect(isExhausted({ ...config, maxAttempts: -1, maxRetryDuration: 1000 }, 1, 1000)).toBe(true);
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 5, 12);

  it("is parsed as seconds or as a date; other and past values are ignored", () => {
    expect(retryAfter("7", now)).toBe(7000);
    expect(retryAfter("Mon, 05 Jan 2026 12:00:30 GMT", now)).toBe(30_000);
    expect(retryAfter("Mon, 05 Jan 2026 11:00:30 GMT", now)).toBe(0);
    expect(retryAfter("soon", now)).toBe(0);
    expect(retryAfter(undefined, now)).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { TimedOut, withTimeout } from "./with-timeout.ts";

const LONG_MS = 60_000;

describe("a promise with a timeout", () => {
  it("returns its result in time", async () => {
    expect(await withTimeout(Promise.resolve(7), LONG_MS)).toBe(7);
    await expect(withTimeout(Promise.reject(new Error("its own")), LONG_MS)).rejects.toThrow("its own");
  });

  it("times out if it does not settle in time", async () => {
    const waiting = withTimeout(new Promise(() => undefined), 1);
    await expect(waiting).rejects.toThrow(TimedOut);
    await expect(waiting).rejects.toThrow("No answer in 1 ms");
  });
});

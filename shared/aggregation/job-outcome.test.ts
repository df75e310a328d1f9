import { describe, expect, it } from "vitest";
import { combine, customerText, isWorthRepeating } from "./job-outcome.ts";

const done = { state: "done", rows: [{ n: 1 }] } as const;
const failed = { state: "failed", reason: "backendError", message: "m" } as const;
const running = (progress: number) => ({ state: "running", progress }) as const;

describe("several warehouse jobs as one", () => {
  it("are done when all are, with the rows of the first", () => {
    expect(combine([done, { state: "done", rows: [] }])).toBe(done);
  });

  it("have failed when one has, whatever the others do", () => {
    expect(combine([running(5), failed, done])).toBe(failed);
  });

  it("progress by their mean, the done ones counting whole", () => {
    expect(combine([running(50), done])).toEqual({ state: "running", progress: 75 });
  });
});

describe("a warehouse error", () => {
  it.each(["backendError", "rateLimitExceeded"])("%s is worth another attempt", (reason) => {
    expect(isWorthRepeating(reason)).toBe(true);
  });

  it.each(["invalidQuery", "bytesBilledLimitExceeded", "notFound", "stopped"])("%s is not", (reason) => {
    expect(isWorthRepeating(reason)).toBe(false);
  });

  it("is told to the customer as what to do", () => {
    expect(customerText("bytesBilledLimitExceeded")).toContain("fewer days");
    expect(customerText("invalidQuery")).not.toContain("invalidQuery");
  });
});

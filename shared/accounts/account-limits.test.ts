import { describe, expect, it } from "vitest";
import { creationRefusal, creationsSince } from "./account-limits.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe("a new machine account", () => {
  it("is the customer's hundredth at most", () => {
    expect(creationRefusal(99, [], NOW)).toBeUndefined();
    expect(creationRefusal(100, [], NOW)).toMatchObject({ code: "resource_exhausted", message: expect.stringContaining("at most 100") });
  });

  it("is the twentieth within any hour at most, and the refusal says when the next may be created", () => {
    const created = Array.from({ length: 20 }, (_, index) => ago(3000 - index));
    expect(creationRefusal(20, created.slice(1), NOW)).toBeUndefined();
    expect(creationRefusal(20, created, NOW)).toMatchObject({ code: "resource_exhausted", headers: { "retry-after": "600" } });
    expect(creationRefusal(20, [ago(3500), ...created], NOW)).toMatchObject({ headers: { "retry-after": "600" } });
  });

  it("counts for an hour, in whatever order it is stored", () => {
    expect(creationsSince([ago(1), ago(3600), ago(3599), ago(4000)], NOW)).toEqual([ago(3599), ago(1)]);
  });
});

import { expect, it } from "vitest";
import { limitsOf } from "./limits.ts";

it("limits come with what is used of them, by their names, and others than numbers are left out", () => {
  const limits = { maps: 10_000, exportsPerDay: 50, bytesPerMonth: 1e12, requestsPerMinute: 600, tiers: ["a"] };
  const usage = { maps: 3, exportsToday: 0, bytesThisMonth: 7, note: "none" };
  expect(limitsOf({ limits, usage })).toEqual([
    { name: "maps", most: 10_000, used: 3 },
    { name: "exportsPerDay", most: 50, used: 0 },
    { name: "bytesPerMonth", most: 1e12, used: 7 },
    { name: "requestsPerMinute", most: 600, used: undefined },
  ]);
});

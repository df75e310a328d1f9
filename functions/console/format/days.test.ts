import { expect, it } from "vitest";
import { lastOfDays } from "./days.ts";

it("the last day of a window is within the service's days of 24 hours, also where the clocks change in it", () => {
  const zone = "Europe/Tallinn";
  expect(lastOfDays("2026-07-01", 1, zone)).toBe("2026-07-01");
  expect(lastOfDays("2026-07-01", 31, zone)).toBe("2026-07-31");
  // Spring has an hour less.
  expect(lastOfDays("2026-03-01", 31, zone)).toBe("2026-03-31");
  // Autumn has an hour more than 31 days of 24 hours.
  expect(lastOfDays("2026-10-01", 31, zone)).toBe("2026-10-30");
  expect(lastOfDays("2026-10-01", 31, "UTC")).toBe("2026-10-31");
});

import { expect, it } from "vitest";
import { instant } from "./options.ts";

it.each([
  ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T14:00+02:00", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21 12:00Z", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21", "2026-11-21T00:00:00.000Z"],
])("--at %s is %s, wherever the operator is", (given, time) => {
  expect(instant("--at", given).toISOString()).toBe(time);
});

it.each(["2026-11-21T12:00", "2026-11-21 12:00", "12:00", "5", "2026-02-30", "yesterday", ""])(
  "--at %j is refused: it is no time, or another one in each time zone",
  (given) => {
    expect(() => instant("--at", given)).toThrow(
      `--at ${JSON.stringify(given)} is not a time with an offset or Z; example: 2026-11-21T12:00:00Z`,
    );
  },
);

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInstant, secondsLeftOfUtcDay, utcDate } from "./time.ts";

describe("a time in a request", () => {
  it.each([
    ["2026-11-01T10:00:00Z", "2026-11-01T10:00:00.000Z"],
    ["2026-11-01T10:00:00.123456Z", "2026-11-01T10:00:00.123Z"],
    ["2026-11-01T10:00+02:00", "2026-11-01T08:00:00.000Z"],
    ["2026-11-01T10:00:00+0200", "2026-11-01T08:00:00.000Z"],
    ["2026-11-01T10:00:00-03", "2026-11-01T13:00:00.000Z"],
    ["2026-11-01t10:00:00.5z", "2026-11-01T10:00:00.500Z"],
    ["2026-11-01T10:00:00-0330", "2026-11-01T13:30:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["1970-01-01", "1970-01-01T00:00:00.000Z"],
    ["9998-12-31T23:59:59.999Z", "9998-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, iso) => {
    expect(parseInstant(text)?.toISOString()).toBe(iso);
  });

  it.each([
    "",
    "now",
    "2026-11-01T10:00:00",
    "2026-02-30",
    "2025-02-29T00:00:00Z",
    "2026-13-01",
    "2026-11-00",
    "2026-11-31",
    "2026-11-01T25:00:00Z",
    "1969-12-31",
    "1970-01-01T00:00:00+00:01",
    "9999-01-01",
    "20261101",
    "2026-11-01T10:00:00+2",
    "2026-11-01T10:00:00+02:",
    "2026-11-01T10:00:00+0260",
    "2026-11-01T10:00:00+24:00",
    "2026-11-01T10:00:00Z+02",
    "2026-11-01Z",
  ])("%j is rejected", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it("round-trips for any time", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("9998-01-01"), noInvalidDate: true }), (date) => {
        expect(parseInstant(date.toISOString())).toEqual(date);
      }),
      { seed: 1 },
    );
  });
});

describe("the UTC day of an instant", () => {
  it.each([
    ["2026-11-01T00:00:00.000Z", "2026-11-01", 86_400],
    ["2026-11-01T12:00:00.001Z", "2026-11-01", 43_200],
    ["2026-11-01T23:59:59.999Z", "2026-11-01", 1],
  ])("%s is %s, with %i whole seconds left", (text, date, seconds) => {
    const instant = new Date(text);
    expect([utcDate(instant), secondsLeftOfUtcDay(instant)]).toEqual([date, seconds]);
  });
});

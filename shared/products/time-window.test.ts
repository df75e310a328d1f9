import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDay } from "../../infra/testing/reference/civil-days.ts";
import { civilDate, civilDayStarts, civilDays, civilDaysOfHours, hourBounds, hourCount, hourStarts, previewEnd } from "./time-window.ts";

describe("the civil days of a window", () => {
  it.each([
    ["Europe/Oslo", "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z", "2026-11-01", "2026-11-02"],
    ["Europe/Oslo", "2026-10-31T23:00:00Z", "2026-11-01T23:00:00Z", "2026-11-01", "2026-11-01"],
    ["UTC", "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z", "2026-11-01", "2026-11-01"],
    ["America/Chicago", "2019-01-07T06:00:00Z", "2019-01-08T06:00:00Z", "2019-01-07", "2019-01-07"],
    ["Europe/Tallinn", "2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z", "2026-03-29", "2026-03-29"],
    ["Europe/Tallinn", "2026-10-24T21:00:00Z", "2026-10-25T22:00:00Z", "2026-10-25", "2026-10-25"],
  ])("in %s from %s to %s are %s to %s", (zone, start, end, first, last) => {
    expect(civilDays({ start: new Date(start), end: new Date(end) }, zone)).toEqual({ first, last });
  });

  it("begin with the day of the start and do not go past the day of the end, in every zone", () => {
    const zones = fc.constantFrom("UTC", "Europe/Oslo", "Europe/Tallinn", "America/Chicago", "Asia/Kathmandu");
    const instants = fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 40 * 86_400_000 }), (zone, start, length) => {
        const { first, last } = civilDays({ start, end: new Date(start.getTime() + length) }, zone);
        expect(first).toBe(civilDate(start, zone));
        expect(first <= last).toBe(true);
        expect(last <= civilDate(new Date(start.getTime() + length), zone)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

describe("the civil days of a window's hours", () => {
  const zones = fc.constantFrom("UTC", "Europe/Oslo", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Adelaide");
  const instants = fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  const HOUR = 3_600_000;

  it.each([
    // Midnight in Kolkata is 18:30 UTC. The hour from 18:00 overlaps the window but begins on the day before.
    ["Asia/Kolkata", "2026-10-31T18:30:00Z", "2026-11-01T18:30:00Z", "2026-10-31", "2026-11-01"],
    ["Asia/Kolkata", "2026-10-31T19:00:00Z", "2026-11-01T18:00:00Z", "2026-11-01", "2026-11-01"],
    ["Asia/Kolkata", "2026-10-31T19:00:00Z", "2026-11-01T18:45:00Z", "2026-11-01", "2026-11-01"],
    ["Europe/Oslo", "2026-10-31T23:30:00Z", "2026-11-01T23:00:00Z", "2026-11-01", "2026-11-01"],
  ])("in %s from %s to %s are %s to %s", (zone, start, end, first, last) => {
    expect(civilDaysOfHours({ start: new Date(start), end: new Date(end) }, zone)).toEqual({ first, last });
  });

  it("are those of the first and last hour that overlap it, in every zone", () => {
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 3 * 24 * HOUR }), (zone, start, length) => {
        const window = { start, end: new Date(start.getTime() + length) };
        const { after, before } = hourBounds(window);
        const days: string[] = [];
        for (let hour = Math.floor(after.getTime() / HOUR) * HOUR; hour < before.getTime(); hour += HOUR)
          if (hour > after.getTime()) days.push(civilDate(new Date(hour), zone));
        expect(civilDaysOfHours(window, zone)).toEqual({ first: days[0], last: days.at(-1) });
      }),
      { seed: 1830, numRuns: 1000 },
    );
  });
});

describe("the hours of a window", () => {
  it("overlap it; an hour that only touches it does not count", () => {
    const { after, before } = hourBounds({ start: new Date("2026-11-01T10:30:00Z"), end: new Date("2026-11-01T12:00:00Z") });
    const inside = [9, 10, 11, 12].filter((hour) => {
      const bucket = new Date(Date.UTC(2026, 10, 1, hour));
      return after < bucket && bucket < before;
    });
    expect(inside).toEqual([10, 11]);
  });
});

describe("the starts of buckets", () => {
  it.each([
    ["Europe/Tallinn", "2026-03-28", "2026-03-30"],
    ["Europe/Tallinn", "2026-10-24", "2026-10-26"],
    ["America/Chicago", "2019-11-02", "2019-11-04"],
    ["Asia/Kathmandu", "2026-11-01", "2026-11-03"],
    ["Pacific/Kiritimati", "2026-11-01", "2026-11-03"],
    ["Pacific/Pago_Pago", "2026-11-01", "2026-11-03"],
  ])("of days in %s from %s are those of its civil days, also when clocks change", (zone, first, last) => {
    const [from, to] = [civilDay(zone, first), civilDay(zone, last)];
    const window = { start: new Date(from.start + 3_600_000), end: new Date(to.start + 1) };
    const middle = new Date((Date.parse(first) + Date.parse(last)) / 2).toISOString().slice(0, 10);
    const starts = [first, middle, last].map((date) => new Date(civilDay(zone, date).start));
    expect(civilDayStarts(window, zone)).toEqual(starts);
    expect(previewEnd("civil day", window, zone)).toEqual(new Date(from.end));
  });

  it("of a day whose midnight clocks skip is the first instant after it", () => {
    // Clocks went from 24:00 to 01:00.
    const window = { start: new Date("2018-11-04T12:00:00Z"), end: new Date("2018-11-04T13:00:00Z") };
    expect(civilDayStarts(window, "America/Sao_Paulo")).toEqual([new Date("2018-11-04T03:00:00Z")]);
  });

  it("of hours are as many as there are hours, the first not after the window's start", () => {
    const window = { start: new Date("2026-11-01T06:30:00Z"), end: new Date("2026-11-01T09:00:00.001Z") };
    const starts = hourStarts(window);
    expect(starts.map((start) => start.toISOString().slice(11, 16))).toEqual(["06:00", "07:00", "08:00", "09:00"]);
    expect(starts).toHaveLength(hourCount(window));
  });
});

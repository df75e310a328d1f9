import fc from "fast-check";
import { expect, it } from "vitest";
import rules from "../../infra/countries.json" with { type: "json" };
import table from "../../infra/generated/utc-offsets.json" with { type: "json" };
import { hasUtcOffsets, utcOffset } from "./utc-offsets.ts";

const ZONES = Object.keys(table.zones);
const [FROM, UNTIL] = [Date.parse(table.from), Date.parse(table.until)];
const formats = new Map(
  ZONES.map((timeZone) => {
    const fields = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    return [timeZone, new Intl.DateTimeFormat("sv-SE", { timeZone, ...fields })];
  }),
);

/** Returns the minutes that the clocks of a zone are ahead of UTC by Intl. */
function byIntl(time: number, zone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  return (Date.parse(`${formats.get(zone)?.format(minute).replace(" ", "T")}Z`) - minute) / 60_000;
}

it("the zones of all built-in countries are there", () => {
  expect(ZONES).toEqual([...new Set(Object.values(rules).map(({ time_zone }) => time_zone))].sort());
  expect(ZONES.every(hasUtcOffsets)).toBe(true);
});

it.each(ZONES)("the offsets of %s are those of Intl around each change, and in between", (zone) => {
  for (const change of Object.keys(Object.entries(table.zones).find(([name]) => name === zone)?.[1] ?? {}).slice(1))
    for (const time of [Date.parse(change) - 1, Date.parse(change), Date.parse(change) + 1])
      expect(utcOffset(new Date(time), zone), new Date(time).toISOString()).toBe(byIntl(time, zone));
  fc.assert(
    fc.property(fc.integer({ min: FROM, max: UNTIL - 1 }), (time) => {
      expect(utcOffset(new Date(time), zone)).toBe(byIntl(time, zone));
    }),
    { seed: 22, numRuns: 2000 },
  );
});

it("other zones and times are not known", () => {
  const [zone = ""] = ZONES;
  expect(utcOffset(new Date(FROM - 1), zone)).toBeUndefined();
  expect(utcOffset(new Date(FROM), zone)).toBeTypeOf("number");
  expect(utcOffset(new Date(UNTIL - 1), zone)).toBeTypeOf("number");
  expect(utcOffset(new Date(UNTIL), zone)).toBeUndefined();
  for (const other of ["America/Chicago", "Europe/Nowhere", "toString", ""]) {
    expect(hasUtcOffsets(other), other).toBe(false);
    expect(utcOffset(new Date("2026-11-26"), other), other).toBeUndefined();
  }
});

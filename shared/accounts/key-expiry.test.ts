import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ExpiresAt, expiryFault, expiryOf, isExpired } from "./key-expiry.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const DAY_MS = 86_400_000;

describe("the end of a key", () => {
  it.each(["2027-03-31T22:00:00Z", "2027-04-01T00:00:00+02:00", "2027-03-31T22:00:00.000Z"])("is the instant of %s", (text) => {
    expect(v.parse(ExpiresAt, text)).toEqual(new Date("2027-03-31T22:00:00Z"));
  });

  it.each([
    "2027-03-31",
    "2027-03-31T22:00Z",
    "2027-03-31T22:00:00",
    "2027-03-31 22:00:00Z",
    "2027-03-31t22:00:00z",
    "2027-03-31T22:00:00+02",
    "2027-02-30T22:00:00Z",
    "2027-03-31T25:00:00Z",
    " 2027-03-31T22:00:00Z",
    "31/03/2027",
    "1806530400",
    "",
    1_806_530_400,
  ])("is not %j", (text) => {
    expect(v.is(ExpiresAt, text)).toBe(false);
  });

  it("lies in the future, at most two years ahead", () => {
    expect([expiryFault(inMs(1), NOW), expiryFault(inMs(730 * DAY_MS), NOW), expiryFault(null, NOW), expiryFault(undefined, NOW)]).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(expiryFault(NOW, NOW)).toBe("must be in the future; it is 2026-11-22T12:00:00.000Z now");
    expect(expiryFault(inMs(730 * DAY_MS + 1), NOW)).toBe("must be at most 730 days ahead: 2028-11-21T12:00:00.000Z or earlier");
  });

  it("stays unless another, or none, is asked for", () => {
    const present = { expiresAt: inMs(1) };
    expect([expiryOf(undefined, present), expiryOf(null, present), expiryOf(inMs(2), present)]).toEqual([inMs(1), null, inMs(2)]);
    expect([expiryOf(undefined, undefined), expiryOf(undefined, {})]).toEqual([null, null]);
  });

  it("is reached at that instant, not before", () => {
    const key = { expiresAt: NOW };
    expect([isExpired(key, inMs(-1)), isExpired(key, NOW), isExpired(key, inMs(1))]).toEqual([false, true, true]);
    expect([isExpired({ expiresAt: null }, NOW), isExpired({}, NOW)]).toEqual([false, false]);
  });
});

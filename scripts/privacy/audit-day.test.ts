import { describe, expect, it } from "vitest";
import { publishDay, publishHour } from "./area-rule.ts";
import { type AreaRules, hasHours } from "./area-rules.ts";
import { auditDay, countsOf } from "./audit-day.ts";
import { staysByRule } from "./audit-stays.ts";
import type { ActivityDay, ActivityValues, Country, RawActivity } from "./dataset.ts";
import { place, placesOfTest, upTo } from "./testing/small-worlds.ts";
import { sumOf } from "./verdicts.ts";

const STRICT: AreaRules = { k: 3, step: 24, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: true };
/** A km of one cell. */
const PLACES = placesOfTest(place("1/K", 1, [undefined, "1/K"], 1), place("0/A", 0, ["0/A", "1/K"]));

/** The devices of a bucket, and how many of them stayed, once each. */
type Bucket = readonly [devices: number, stayed: number];

function delivered([devices, stayed]: Bucket): ReadonlyMap<string, RawActivity> {
  const row = { devices, people: devices * 4, staysDevices: stayed, staysCount: stayed, staysMinutes: stayed * 60 };
  return new Map(["0/A", "1/K"].map((id) => [id, row]));
}

/** Publishes a day as the rule says, with the hours of the km alone, and attacks it. */
function audit(hours: readonly Bucket[], day: Bucket, rules: AreaRules, hasTruth = true) {
  const country: Country = {
    code: "STR",
    activities: rules,
    places: PLACES,
    pairs: undefined,
    placesOfPairs: PLACES,
    placesOfLinks: new Map(),
    centroids: new Map(),
  };
  const raw: ActivityDay<RawActivity> = {
    date: "2026-03-01",
    hours: new Map(hours.map((bucket, hour) => [`hour ${hour}`, delivered(bucket)])),
    day: delivered(day),
  };
  const rowsOfHours = [...raw.hours.values()].map((rows) => ({ raw: rows, decided: publishHour(PLACES, rules, countsOf(rows)) }));
  const ofDay = {
    raw: raw.day,
    decided: publishDay(
      PLACES,
      rules,
      countsOf(raw.day),
      rowsOfHours.map(({ decided }) => decided),
    ),
  };
  const published = (given: typeof ofDay, isDay: boolean): ReadonlyMap<string, ActivityValues> =>
    new Map(
      [...given.decided].flatMap(([id, { number }]) => {
        if (number === 0 || !(isDay || hasHours(PLACES.get(id)?.level, rules))) return [];
        const { devices, count, minutes } = staysByRule(country, "0/A", given, isDay ? rowsOfHours : undefined);
        return [[id, { people: number, staysDevices: devices, staysCount: count, staysMinutes: minutes }] as const];
      }),
    );
  const seen: ActivityDay<ActivityValues> = {
    date: raw.date,
    hours: new Map([...raw.hours.keys()].map((hour, index) => [hour, published(rowsOfHours[index] ?? ofDay, false)])),
    day: published(ofDay, true),
  };
  return auditDay(country, seen, hasTruth ? raw : undefined, undefined);
}

describe("the stays of a day in a strict country, whose hours of cells nobody sees", () => {
  /** Days of two hours, in which up to four devices more stay than in the first. */
  const days = upTo(8, 3).flatMap((inFirst) =>
    upTo(inFirst).flatMap((stayed) =>
      upTo(4).map((more) => {
        const day: Bucket = [inFirst + 4, Math.max(2, stayed + more)];
        return { hours: [[inFirst, stayed] as const, [6, 2] as const], day };
      }),
    ),
  );
  const attacked = (rules: AreaRules, hasTruth = true) => {
    const audits = days.map(({ hours, day }) => audit(hours, day, rules, hasTruth));
    const of = (name: string) => sumOf(audits.flatMap(({ findings }) => findings.get(name) ?? []));
    return [of("devices less stays_devices"), of("stayed at other hours of the day")];
  };

  it("show nobody, even to one who is given these hours", () => {
    expect(attacked(STRICT)).toEqual([
      { considered: 90, shown: 0, recovered: 0, open: 0, wrong: 0 },
      { considered: 143, shown: 0, recovered: 0, open: 0, wrong: 0 },
    ]);
  });

  it("give those away who stayed at other hours if they are exact and decided without the hours", () => {
    const [, otherHours] = attacked({ ...STRICT, broken: new Set(["staysExact", "staysWithoutHours", "staysNotSnapped"]) });
    expect(otherHours).toMatchObject({ recovered: expect.toSatisfy((count: number) => count > 0), wrong: 0 });
  });

  it("are not attacked without the truth, from which alone the hours are known", () => {
    expect(attacked(STRICT, false).map(({ considered }) => considered)).toEqual([0, 0]);
  });
});

import { describe, expect, it } from "vitest";
import { dayUnder, publishedDay } from "../../infra/testing/privacy/attacked-day.ts";
import { rounded } from "../../infra/testing/privacy/bounds.ts";
import {
  type Attacked,
  type AttackedSet,
  attackDay,
  attackDifferences,
  attackHours,
  attackOverlaps,
  attackWithheld,
  verdictOf,
} from "../../infra/testing/privacy/level-attack.ts";
import {
  FINEST,
  K,
  LEVELS,
  type Level,
  publishedActivities,
  type RawRow,
  RULES,
  rawActivities,
} from "../../infra/testing/privacy/nested-day.ts";

const published = await publishedDay();
const hours = [...published.hours.values()];

/** The days as earlier rules published them: people exactly, or only to the nearest step, from k devices. */
const [exact, onlyRounded] = await Promise.all([
  dayUnder({ ...RULES, step: 1, takesOut: false }, ({ devices, people }) => (devices < K ? 0 : people)),
  dayUnder({ ...RULES, takesOut: false }, ({ devices, people }) => (devices < K ? 0 : rounded(people, RULES.step))),
]);

describe.each(["hourly", "daily"] as const)("people of a geography, %s", async (bucket) => {
  const raw = await rawActivities(bucket);

  it.each(LEVELS)("are told in steps, from k devices, and tell of 98 % of all: %s", async (level: Level) => {
    const numbers = await publishedActivities(level, bucket, "sum_unique_people");
    const rows = raw.filter((row) => row.level === level);
    const told = rows.filter(({ key }) => numbers.has(key));
    expect(numbers.size).toBe(told.length);
    expect(told.filter(({ devices }) => devices < K)).toEqual([]);
    expect([...numbers.values()].filter((people) => people < RULES.step || people % RULES.step !== 0)).toEqual([]);
    expect(peopleOf(told) / peopleOf(rows)).toBeGreaterThan(level === "admin_level_2" ? 0.99 : 0.98);
    if (level === FINEST) expect(told.length).toBe(rows.filter(({ devices }) => devices >= K).length);
  });
});

describe("an hour of a cell", () => {
  it("has its people to the nearest step: nothing is taken out of it", async () => {
    const numbers = await publishedActivities(FINEST, "hourly", "sum_unique_people");
    const told = (await rawActivities("hourly")).filter(({ level, devices }) => level === FINEST && devices >= K);
    expect(told.filter(({ key, people }) => numbers.get(key) !== rounded(people, RULES.step))).toEqual([]);
    expect(told.length).toBeGreaterThan(10_000);
  });
});

/** The attacks on an hour, or a day, with the most percent of sets that may be shown not to be empty. */
const ATTACKS: readonly (readonly [string, (attacked: Attacked) => AttackedSet[], number])[] = [
  ["withheld parts of a told geography, one by one and together", attackWithheld, 5],
  ["a told geography less one within it", attackDifferences, 5],
  // Where a km has no third cell in the geometry, the rule shows some.
  ["two told parts less the told geography around them", attackOverlaps, 1],
];

describe("an attacker who knows all rules", () => {
  it.each(ATTACKS)("recovers nothing of %s", (_sets, attack, percentShown) => {
    const [ofHours, ofDay] = [verdictOf(hours.flatMap(attack), K), verdictOf(attack(published.day), K)];
    expect([ofHours, ofDay]).toMatchObject([
      { recovered: 0, wrong: 0 },
      { recovered: 0, wrong: 0 },
    ]);
    expect(ofHours.considered).toBeGreaterThan(300);
    expect((100 * ofHours.shown) / ofHours.considered).toBeLessThanOrEqual(percentShown);
  });

  it.each(ATTACKS)("recovers hundreds of exact numbers, and is never wrong, of %s", (_sets, attack) => {
    const { recovered, wrong } = verdictOf([...exact.hours.values()].flatMap(attack), K);
    expect(recovered).toBeGreaterThan(300);
    expect(wrong).toBe(0);
  });

  it("recovers withheld parts, and is shown differences, where numbers are only rounded", () => {
    const rows = [...onlyRounded.hours.values()];
    const [withheld, differences] = [verdictOf(rows.flatMap(attackWithheld), K), verdictOf(rows.flatMap(attackDifferences), K)];
    expect(withheld.recovered).toBeGreaterThan(100);
    expect(differences.shown).toBeGreaterThan(100);
    expect(withheld.wrong + differences.wrong).toBe(0);
  });

  it("recovers nothing of a day less one of its told hours, and of its withheld hours", () => {
    const [less, withheld] = [verdictOf(attackDay(published.day, hours), K), verdictOf(attackHours(published.day, hours), K)];
    expect([less, withheld]).toMatchObject([
      { recovered: 0, wrong: 0 },
      { recovered: 0, wrong: 0 },
    ]);
    expect(withheld.considered).toBeGreaterThan(1000);
  });
});

function peopleOf(rows: readonly RawRow[]): number {
  return rows.reduce((sum, { people }) => sum + people, 0);
}

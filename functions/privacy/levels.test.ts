import { describe, expect, it } from "vitest";
import { type AttackedDay, attackedDay, type DeliveredDay, numbersUnder } from "../../infra/testing/privacy/attacked-day.ts";
import {
  attackedSampleDay,
  FINEST,
  K,
  LEVELS,
  type Level,
  publishedActivities,
  type RawRow,
  RULES,
  rawActivities,
  sampleDay,
} from "../../infra/testing/privacy/nested-day.ts";
import { loadPlantedDay, PLANTED_RULES } from "../../infra/testing/privacy/planted-day.ts";
import { type AreaRules, nearest } from "../../scripts/privacy/area-rules.ts";
import { attackDay, attackWithheldHours } from "../../scripts/privacy/attacks/hours.ts";
import { attackLevels, type Bucket } from "../../scripts/privacy/attacks/levels.ts";
import { attackOverlaps } from "../../scripts/privacy/attacks/overlaps.ts";
import { type Attacked, scoreSets } from "../../scripts/privacy/verdicts.ts";

const [sample, published] = [await sampleDay(), await attackedSampleDay()];
const hours = [...published.hours.values()];
const [exact, onlyRounded] = [exactly(sample, RULES), inSteps(sample, RULES)];

/** Rules under which numbers are of all devices, as the attacker knows. */
function countingAll(rules: AreaRules): AreaRules {
  return { ...rules, broken: new Set(["noTakeOut", "noSnap", "hoursWithoutRoom"]) };
}

/** A day as people were published once: exactly, from k devices. */
function exactly(day: DeliveredDay, rules: AreaRules): AttackedDay {
  const numbers = numbersUnder(day, ({ devices, people }) => (devices < rules.k ? 0 : people));
  return attackedDay(day, { ...countingAll(rules), step: 1 }, numbers);
}

/** A day as if people were only rounded. */
function inSteps(day: DeliveredDay, rules: AreaRules): AttackedDay {
  const numbers = numbersUnder(day, ({ devices, people }) => (devices < rules.k ? 0 : rounded(people, rules)));
  return attackedDay(day, countingAll(rules), numbers);
}

/** Returns people to the nearest step, and at least one step. */
function rounded(people: number, { step }: AreaRules): number {
  return Math.max(step, nearest(people, step));
}

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
    expect(told.filter(({ key, people }) => numbers.get(key) !== rounded(people, RULES))).toEqual([]);
    expect(told.length).toBeGreaterThan(10_000);
  });
});

const isWithheld = ({ kind }: { readonly kind: string }): boolean => kind.startsWith("withheld");
const attackWithheld = (bucket: Bucket): Attacked[] => attackLevels(bucket).filter(isWithheld);
const attackDifferences = (bucket: Bucket): Attacked[] => attackLevels(bucket).filter((target) => !isWithheld(target));

/** The attacks on an hour, or a day, with the most percent of sets that may be shown not to be empty. */
const ATTACKS: readonly (readonly [string, (bucket: Bucket) => Attacked[], number])[] = [
  ["withheld parts of a told geography, one by one and together", attackWithheld, 5],
  ["a told geography less one within it", attackDifferences, 5],
  // Where a km has no third cell in the geometry, the rule shows some.
  ["two told parts less the told geography around them", ({ bounds, rules, truth }) => attackOverlaps(bounds, rules, truth), 1],
];

describe("an attacker who knows all rules", () => {
  it.each(ATTACKS)("recovers nothing of %s", (_sets, attack, percentShown) => {
    const [ofHours, ofDay] = [scoreSets(hours.flatMap(attack), K), scoreSets(attack(published.day), K)];
    expect([ofHours, ofDay]).toMatchObject([
      { recovered: 0, wrong: 0 },
      { recovered: 0, wrong: 0 },
    ]);
    expect(ofHours.considered).toBeGreaterThan(300);
    expect((100 * ofHours.shown) / ofHours.considered).toBeLessThanOrEqual(percentShown);
  });

  it.each(ATTACKS)("recovers hundreds of exact numbers, and is never wrong, of %s", (_sets, attack) => {
    const { recovered, wrong } = scoreSets([...exact.hours.values()].flatMap(attack), K);
    expect(recovered).toBeGreaterThan(300);
    expect(wrong).toBe(0);
  });

  it("recovers withheld parts, and is shown differences, where numbers are only rounded", () => {
    const rows = [...onlyRounded.hours.values()];
    const [withheld, differences] = [scoreSets(rows.flatMap(attackWithheld), K), scoreSets(rows.flatMap(attackDifferences), K)];
    expect(withheld.recovered).toBeGreaterThan(100);
    expect(differences.shown).toBeGreaterThan(100);
    expect(withheld.wrong + differences.wrong).toBe(0);
  });

  it("recovers nothing of the withheld hours of a day", () => {
    const { considered, recovered, wrong } = scoreSets(attackWithheldHours(published.day, hours), K);
    expect([recovered, wrong]).toEqual([0, 0]);
    expect(considered).toBeGreaterThan(1000);
  });
});

/** Every attack on a day and its hours. */
const ATTACKS_ON_DAYS: readonly (readonly [string, (day: AttackedDay) => Attacked[]])[] = [
  ...ATTACKS.map(([sets, attack]) => [sets, ofHoursAndDay(attack)] as const),
  ["a day less one of its told hours", ({ day, hours: all }) => attackDay(day, [...all.values()])],
  ["the withheld hours of a day", ({ day, hours: all }) => attackWithheldHours(day, [...all.values()])],
];

function ofHoursAndDay(attack: (bucket: Bucket) => Attacked[]): (day: AttackedDay) => Attacked[] {
  return ({ day, hours: all }) => [...all.values(), day].flatMap(attack);
}

describe("a planted day with few devices more than in its busiest hours and largest parts", async () => {
  const { delivered, attacked, early } = await loadPlantedDay();
  const { k } = PLANTED_RULES;
  const plantedExactly = exactly(delivered, PLANTED_RULES);
  const plantedInSteps = inSteps(delivered, PLANTED_RULES);

  it("is not told before its hours", () => {
    expect(early).toBe(0);
  });

  it.each(ATTACKS_ON_DAYS)("gives nothing away of %s, where exact numbers do, and shows less than rounded ones", (_sets, attack) => {
    const [found, ofExact, ofRounded] = [attacked, plantedExactly, plantedInSteps].map((day) => scoreSets(attack(day), k));
    expect(found).toMatchObject({ recovered: 0, wrong: 0 });
    expect(ofExact?.recovered).toBeGreaterThan(0);
    expect(2 * (found?.shown ?? 0)).toBeLessThanOrEqual(ofRounded?.shown ?? 0);
    expect([ofExact?.wrong, ofRounded?.wrong]).toEqual([0, 0]);
  });
});

function peopleOf(rows: readonly RawRow[]): number {
  return rows.reduce((sum, { people }) => sum + people, 0);
}

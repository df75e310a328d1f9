import { describe, expect, it } from "vitest";
import type { Bound } from "../../infra/testing/privacy/bounds.ts";
import { verdictOf } from "../../infra/testing/privacy/level-attack.ts";
import {
  attackedSampleDay,
  type Bucket,
  COARSER,
  FINEST,
  K,
  LEVELS,
  type Level,
  placesOf,
  publishedActivities,
  type RawRow,
  rawActivities,
  WINDOW,
} from "../../infra/testing/privacy/nested-day.ts";
import { attackStays, STAYS_SETS, type StaysRow, type StaysRules } from "../../infra/testing/privacy/stays-attack.ts";

const MEASURES = ["stays_count", "stays_dwell_minutes", "stays_devices"] as const;
const MINUTES = 5;
const RULES: StaysRules = { k: K, step: K, snaps: true };
const BUCKETS = ["hourly", "daily"] as const;

/** The published values of every measure of stays, by bucket, measure and level. */
const published = new Map<string, ReadonlyMap<string, number>>();
for (const bucket of BUCKETS)
  for (const measure of MEASURES)
    for (const level of LEVELS) published.set(`${bucket} ${measure} ${level}`, await publishedActivities(level, bucket, measure));
const publishedOf = (bucket: Bucket, measure: (typeof MEASURES)[number], level: Level): ReadonlyMap<string, number> =>
  published.get(`${bucket} ${measure} ${level}`) ?? new Map();

const around = await placesOf();
const attacked = await attackedSampleDay([FINEST]);
const raw = { hourly: await rawActivities("hourly"), daily: await rawActivities("daily") };
type Stays = Pick<StaysRow, "staysDevices" | "staysCount">;

describe.each(BUCKETS)("stays of a geography, %s", (bucket) => {
  it("of a cell are multiples of k, or none at all", () => {
    const [devices, counts, minutes] = [
      publishedOf(bucket, "stays_devices", FINEST),
      publishedOf(bucket, "stays_count", FINEST),
      publishedOf(bucket, "stays_dwell_minutes", FINEST),
    ];
    const rows = [...devices].map(([key, stayed]) => ({ stayed, stays: counts.get(key) ?? 0, dwelt: minutes.get(key) ?? 0 }));
    expect(rows.filter(({ stayed, stays }) => stayed % K !== 0 || stays % K !== 0 || stays < stayed)).toEqual([]);
    expect(rows.filter(({ stayed, stays, dwelt }) => stayed === 0 && (stays > 0 || (bucket === "hourly" && dwelt > 0)))).toEqual([]);
    expect(rows.filter(({ stayed, dwelt }) => bucket === "hourly" && stayed > 0 && dwelt % (MINUTES * stayed) !== 0)).toEqual([]);
    expect(rows.filter(({ stayed }) => stayed > 0).length).toBeGreaterThan(500);
  });

  it.each(COARSER)("in a %s, minus those of its cells, are 0", (level) => {
    for (const measure of MEASURES) {
      const sums = sumsByPlace(publishedOf(bucket, measure, FINEST), (time, id) => `${time} ${around(FINEST, id)[level]}`);
      const rows = publishedOf(bucket, measure, level);
      expect([...rows].filter(([key, value]) => value !== (sums.get(key) ?? 0))).toEqual([]);
      expect(rows.size).toBeGreaterThan(50);
      expect(Math.max(...rows.values())).toBeGreaterThan(0);
    }
  });
});

/** The told rows of cells as they are published, or as other rules would publish their stays. */
function rowsOf(bucket: Bucket, staysOf = (row: RawRow): Stays => publishedStays(bucket, row)): StaysRow[] {
  return raw[bucket].flatMap((row) => {
    const bound = (bucket === "daily" ? attacked.day : attacked.hours.get(row.bucket))?.bounds.get(row.place);
    return row.level === FINEST && bound && bound.number > 0 ? [{ bound, ...staysOf(row), truth: row }] : [];
  });
}

function publishedStays(bucket: Bucket, { key }: RawRow): Stays {
  const value = (measure: (typeof MEASURES)[number]): number => publishedOf(bucket, measure, FINEST).get(key) ?? Number.NaN;
  return { staysDevices: value("stays_devices"), staysCount: value("stays_count") };
}

/** Returns stays of k devices or more in steps, without regard to those who did not stay, and to second stays. */
function staysInSteps(step: number): (row: RawRow) => Stays {
  const nearest = (value: number): number => Math.floor((2 * value + step) / (2 * step)) * step;
  return ({ staysDevices, staysCount }) =>
    staysDevices < K ? { staysDevices: 0, staysCount: 0 } : { staysDevices: nearest(staysDevices), staysCount: nearest(staysCount) };
}

describe("an attacker who knows all rules", () => {
  it.each(BUCKETS)("is shown no set of 1 to k - 1 devices or stays of a cell, %s", (bucket) => {
    const rows = rowsOf(bucket);
    const sets = attackStays(rows, RULES);
    for (const set of STAYS_SETS) {
      expect(verdictOf(sets[set], K)).toMatchObject({ shown: 0, recovered: 0, wrong: 0 });
      expect(verdictOf(sets[set], K).considered).toBeGreaterThan(bucket === "hourly" ? 2000 : 0);
    }
  });

  it("recovers hundreds where stays are exact", () => {
    const rows = rowsOf("hourly", staysInSteps(1)).map((row) => ({ ...row, bound: exactBound(row.truth.devices) }));
    const sets = attackStays(rows, { k: K, step: 1, snaps: false });
    const [complement, second] = STAYS_SETS.map((set) => verdictOf(sets[set], K));
    expect([complement?.wrong, second?.wrong]).toEqual([0, 0]);
    expect(Math.min(complement?.recovered ?? 0, second?.recovered ?? 0)).toBeGreaterThan(500);
  });

  it("is shown hundreds where stays are only rounded", () => {
    const sets = attackStays(
      rowsOf("hourly", staysInSteps(K)).filter(({ staysDevices }) => staysDevices > 0),
      { k: K, step: K, snaps: false },
    );
    const [complement, second] = STAYS_SETS.map((set) => verdictOf(sets[set], K));
    expect([complement?.wrong, second?.wrong]).toEqual([0, 0]);
    expect(Math.min(complement?.shown ?? 0, second?.shown ?? 0)).toBeGreaterThan(500);
  });
});

describe("minutes of stays of a day", () => {
  it.each(LEVELS)("minus those of the published hours of its cells are 0: %s", (level) => {
    const sums = sumsByPlace(
      publishedOf("hourly", "stays_dwell_minutes", FINEST),
      (_time, id) => `${WINDOW.start_time} ${around(FINEST, id)[level]}`,
    );
    const days = publishedOf("daily", "stays_dwell_minutes", level);
    expect([...days].filter(([key, minutes]) => minutes !== (sums.get(key) ?? 0))).toEqual([]);
    expect(days.size).toBeGreaterThan(50);
  });
});

function exactBound(devices: number): Bound {
  return { number: devices, told: { least: devices, most: devices }, hidden: 0, above: 0 };
}

/** Returns sums of values by the key of the row that each is counted in. */
function sumsByPlace(values: ReadonlyMap<string, number>, countedIn: (time: string, id: number) => string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, value] of values) {
    const [time = "", id = ""] = key.split(" ");
    const within = countedIn(time, Number(id));
    sums.set(within, (sums.get(within) ?? 0) + value);
  }
  return sums;
}

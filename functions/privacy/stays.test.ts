import { describe, expect, it } from "vitest";
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
  RULES,
  rawActivities,
  rowKey,
  WINDOW,
} from "../../infra/testing/privacy/nested-day.ts";
import type { AreaRules, Break } from "../../scripts/privacy/area-rules.ts";
import { hoursOfCount, openStaysAttack, type StaysRow } from "../../scripts/privacy/attacks/stays.ts";
import type { Bound } from "../../scripts/privacy/bounds.ts";
import { publishStays } from "../../scripts/privacy/stays-rule.ts";
import { type Finding, scoreSets } from "../../scripts/privacy/verdicts.ts";

const MEASURES = ["stays_count", "stays_dwell_minutes", "stays_devices"] as const;
const MINUTES = 5;
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
    const hours = bucket === "daily" ? { devices: hoursOf(row, "stays_devices"), count: hoursOf(row, "stays_count") } : undefined;
    return row.level === FINEST && bound && bound.number > 0 ? [{ bound, ...staysOf(row), truth: row, hours }] : [];
  });
}

/** The starts of the day's hours. */
const hours = [...new Set(raw.hourly.filter(({ level }) => level === FINEST).map(({ bucket }) => bucket))];

/** What is published of a measure in the hours of a day's row. */
function hoursOf({ key }: RawRow, measure: "stays_devices" | "stays_count") {
  const id = key.split(" ")[1];
  return hoursOfCount(hours.map((hour) => publishedOf("hourly", measure, FINEST).get(rowKey(hour, id)) ?? 0));
}

function publishedStays(bucket: Bucket, { key }: RawRow): Stays {
  const value = (measure: (typeof MEASURES)[number]): number => publishedOf(bucket, measure, FINEST).get(key) ?? Number.NaN;
  return { staysDevices: value("stays_devices"), staysCount: value("stays_count") };
}

/** Returns rules that are broken, as the attacker knows. */
function brokenBy(...breaks: Break[]): AreaRules {
  return { ...RULES, broken: new Set(breaks) };
}

/** Returns stays as other rules would publish them. Nothing is taken out of an hour of a cell. */
function staysUnder(rules: AreaRules): (row: RawRow) => Stays {
  return ({ devices, staysDevices, staysCount }) => {
    const stays = publishStays(devices, { devices: staysDevices, count: staysCount, minutes: 0 }, rules);
    return { staysDevices: stays.devices, staysCount: stays.count };
  };
}

/** The attacks: on the devices that did not stay, on the stays after each device's first, and on few devices that stayed. */
const SETS = ["complement", "second", "few"] as const;

function attackStays(rows: readonly StaysRow[], rules: AreaRules): Readonly<Record<(typeof SETS)[number], Finding>> {
  const sets = rows.map(openStaysAttack(rules));
  const score = (name: (typeof SETS)[number]): Finding =>
    scoreSets(
      sets.map((one) => one[name]),
      K,
    );
  return { complement: score("complement"), second: score("second"), few: score("few") };
}

describe("an attacker who knows all rules", () => {
  it.each(BUCKETS)("is shown no set of 1 to k - 1 devices or stays of a cell, %s", (bucket) => {
    const found = attackStays(rowsOf(bucket), RULES);
    for (const set of SETS) {
      expect(found[set]).toMatchObject({ shown: 0, recovered: 0, wrong: 0 });
      expect(found[set].considered).toBeGreaterThan(bucket === "hourly" ? 2000 : 0);
    }
  });

  it("recovers hundreds where stays are exact", () => {
    const rules = brokenBy("staysNotSnapped", "staysExact");
    const rows = rowsOf("hourly", staysUnder(rules)).map((row) => ({ ...row, bound: exactBound(row.truth?.devices ?? 0) }));
    const { complement, second } = attackStays(rows, rules);
    expect([complement.wrong, second.wrong]).toEqual([0, 0]);
    expect(Math.min(complement.recovered, second.recovered)).toBeGreaterThan(500);
  });

  it("is shown hundreds where stays are only rounded", () => {
    const rules = brokenBy("staysNotSnapped");
    const rows = rowsOf("hourly", staysUnder(rules)).filter(({ staysDevices }) => staysDevices > 0);
    const { complement, second } = attackStays(rows, rules);
    expect([complement.wrong, second.wrong]).toEqual([0, 0]);
    expect(Math.min(complement.shown, second.shown)).toBeGreaterThan(500);
  });
});

describe("stays of a day", () => {
  it.each(["stays_devices", "stays_count"] as const)(
    "are not fewer than in an hour, so that no hour shows who did not stay: %s",
    (measure) => {
      const days = raw.daily.flatMap((row) => {
        const [day, { largest }] = [publishedOf("daily", measure, FINEST).get(row.key), hoursOf(row, measure)];
        return row.level === FINEST && day !== undefined ? [{ day, largest }] : [];
      });
      expect(days.filter(({ day, largest }) => day < largest)).toEqual([]);
      expect(days.filter(({ largest }) => largest > 0).length).toBeGreaterThan(50);
    },
  );
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
  return { number: devices, told: { min: devices, max: devices }, hidden: 0, above: 0, isUnseen: false, parts: [] };
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

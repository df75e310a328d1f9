import { describe, expect, it } from "vitest";
import { COARSER, FINEST, K, LEVELS, type Level, publishedActivities, rawActivities } from "../../infra/testing/privacy/nested-day.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";

const MEASURES = ["stays_count", "stays_dwell_minutes", "stays_devices"] as const;
const customer = await newTokenHolder();

/** The published values of every measure of stays, by bucket, measure and level. */
const published = new Map<string, ReadonlyMap<string, number>>();
const name = (bucket: string, measure: string, level: Level): string => `${bucket} ${measure} ${level}`;
for (const bucket of ["hourly", "daily"] as const)
  for (const measure of MEASURES)
    for (const level of LEVELS) published.set(name(bucket, measure, level), await publishedActivities(customer, level, bucket, measure));
const publishedOf = (bucket: string, measure: string, level: Level): ReadonlyMap<string, number> =>
  published.get(name(bucket, measure, level)) ?? new Map();

/** The rows of the finest level with their geographies. */
const finest = { hourly: await finestRows("hourly"), daily: await finestRows("daily") };

async function finestRows(bucket: "hourly" | "daily") {
  return (await rawActivities(bucket)).filter(({ level }) => level === FINEST);
}

describe.each(["hourly", "daily"] as const)("stays of a geography, %s", (bucket) => {
  it.each(LEVELS)("are of at least k devices or of none: %s", (level) => {
    const devices = publishedOf(bucket, "stays_devices", level);
    expect([...devices].filter(([, count]) => count > 0 && count < K)).toEqual([]);
    for (const measure of MEASURES)
      expect([...publishedOf(bucket, measure, level)].filter(([key, value]) => value > 0 && (devices.get(key) ?? 0) < K)).toEqual([]);
    expect(Math.max(...devices.values())).toBeGreaterThan(K);
  });

  it.each(COARSER)("in a %s, minus those of its parts, are 0", (level) => {
    for (const measure of MEASURES) {
      const parts = publishedOf(bucket, measure, FINEST);
      const sums = new Map<string, number>();
      for (const { key, around } of finest[bucket]) {
        const place = around[level] ?? "";
        sums.set(place, (sums.get(place) ?? 0) + (parts.get(key) ?? 0));
      }
      const rows = publishedOf(bucket, measure, level);
      expect([...rows].filter(([key, value]) => value !== (sums.get(key) ?? 0))).toEqual([]);
      expect(rows.size).toBeGreaterThan(0);
    }
  });
});

describe("stays of a day", () => {
  it("are at most those of its published hours, so that nothing remains for the others", () => {
    const hours = sumsByPlace(publishedOf("hourly", "stays_count", FINEST), (key) => key);
    const left = [...publishedOf("daily", "stays_count", FINEST)].map(([key, value]) => value - (hours.get(placeOf(key)) ?? 0));
    expect(left.filter((stays) => stays > 0)).toEqual([]);
    expect(left.length).toBeGreaterThan(100);
  });
});

describe("minutes of stays of a day", () => {
  it("minus those of its hours are 0, in a cell", () => {
    const minutes = sumsByPlace(publishedOf("hourly", "stays_dwell_minutes", FINEST), (key) => key);
    const days = [...publishedOf("daily", "stays_dwell_minutes", FINEST)].map(([key, value]) => [placeOf(key), value] as const);
    expect(days.filter(([place, value]) => value !== (minutes.get(place) ?? 0))).toEqual([]);
    expect(days.length).toBeGreaterThan(100);
  });

  it.each(COARSER)("in a %s equal those of the hours of its cells", (level) => {
    const around = new Map(finest.hourly.map((row) => [row.key, row.around[level] ?? ""]));
    const minutes = sumsByPlace(publishedOf("hourly", "stays_dwell_minutes", FINEST), (key) => around.get(key) ?? "");
    const days = [...publishedOf("daily", "stays_dwell_minutes", level)].map(([key, value]) => [placeOf(key), value] as const);
    expect(days.filter(([place, value]) => value !== (minutes.get(place) ?? 0))).toEqual([]);
    expect(days.length).toBeGreaterThan(0);
  });
});

/** The place in the key of a row. */
function placeOf(key: string): string {
  return key.split(" ")[1] ?? "";
}

/** Sums of values over the places that a key is counted in. */
function sumsByPlace(values: ReadonlyMap<string, number>, countedIn: (key: string) => string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, value] of values) {
    const place = placeOf(countedIn(key));
    sums.set(place, (sums.get(place) ?? 0) + value);
  }
  return sums;
}

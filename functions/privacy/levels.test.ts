import { describe, expect, it } from "vitest";
import {
  COARSER,
  FINEST,
  K,
  LEVELS,
  type Level,
  publishedActivities,
  type RawRow,
  rawActivities,
} from "../../infra/testing/privacy/nested-day.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";

const customer = await newTokenHolder();

type Published = Readonly<Record<string, ReadonlyMap<string, number>>>;

describe.each(["hourly", "daily"] as const)("people of a geography, %s", async (bucket) => {
  const raw = await rawActivities(bucket);
  const published: Published = Object.fromEntries(
    await Promise.all(LEVELS.map(async (level) => [level, await publishedActivities(customer, level, bucket, "sum_unique_people")])),
  );
  const isPublished = (level: Level, key: string | undefined): boolean => key !== undefined && published[level]?.has(key) === true;

  it.each(LEVELS)("are published if at least k devices were there: %s", (level) => {
    const rows = raw.filter((row) => row.level === level);
    const few = rows.filter(({ devices }) => devices < K);
    expect(rows.filter(({ key, devices }) => isPublished(level, key) && devices < K)).toEqual([]);
    expect(few.length).toBeGreaterThan(level === FINEST ? 10 : -1);
    // At the finest level nothing else withholds a row: exactly the rows that may be published are.
    if (level === FINEST) expect(published[level]?.size).toBe(rows.length - few.length);
  });

  it.each(COARSER)("in a %s hide none or at least k devices, and are withheld for no other reason", (level) => {
    const hidden = hiddenDevices(raw, isPublished);
    const rows = raw.filter((row) => row.level === level).map((row) => ({ ...row, hidden: hidden.get(`${level} ${row.key}`) ?? 0 }));
    const shown = rows.filter(({ key }) => isPublished(level, key));
    const missing = rows.filter(({ key }) => !isPublished(level, key));
    expect(shown.filter(({ hidden }) => hidden > 0 && hidden < K)).toEqual([]);
    expect(missing.filter(({ hidden, devices }) => devices >= K && (hidden === 0 || hidden >= K))).toEqual([]);
    expect(shown.length).toBeGreaterThan(0);
    expect(missing.filter(({ devices }) => devices >= K).length).toBeGreaterThan(0);
  });
});

/** The devices in each coarser row that no published row within it shows: a withheld part's own, or those hidden in it if they are fewer; by level and key. */
function hiddenDevices(
  raw: readonly RawRow[],
  isPublished: (level: Level, key: string | undefined) => boolean,
): ReadonlyMap<string, number> {
  const hidden = new Map<string, number>();
  for (const [index, level] of COARSER.entries())
    for (const part of raw.filter((row) => row.level === LEVELS[index])) {
      if (isPublished(part.level, part.key)) continue;
      const own = Math.min(part.devices, hidden.get(`${part.level} ${part.key}`) ?? part.devices);
      const name = `${level} ${part.around[level]}`;
      hidden.set(name, (hidden.get(name) ?? 0) + own);
    }
  return hidden;
}

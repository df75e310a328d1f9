import { describe, expect, it } from "vitest";
import { COUNTRY, FINEST, publishedActivities, rawActivities, rowKey, WINDOW } from "../../infra/testing/privacy/nested-day.ts";
import { syncPreview } from "../../infra/testing/reference/answers.ts";
import { chanceOf } from "../../infra/testing/reference/chance.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";

const MINUTE = 60_000;
const customer = await newTokenHolder();
const [hourly, daily, raw] = await Promise.all([
  publishedActivities(FINEST, "hourly", "sum_unique_people"),
  publishedActivities(FINEST, "daily", "sum_unique_people"),
  rawActivities("hourly"),
]);

/** Cells with published and withheld hours, as an attacker would choose them. */
const cells = [
  ...new Set(
    raw
      .filter(({ level, key }) => level === FINEST && !hourly.has(key))
      .map(({ key }) => Number(key.split(" ")[1]))
      .filter((id) => daily.has(rowKey(WINDOW.start_time, id))),
  ),
].slice(0, 30);

const request = { agg_type: "activities", country_code: COUNTRY, geo_type: FINEST, geo_ids: cells.join(",") };
const day = { start: Date.parse(WINDOW.start_time), end: Date.parse(WINDOW.end_time) };

/** Windows of a minute to three days, around the day or in it, with ends anywhere in a bucket. */
function windows(seed: number, count: number) {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => {
    const start = day.start + MINUTE * chance.whole(-24 * 60, 24 * 60 - 1);
    const minutes = chance.pick([1, 7, 59, 60, 61, 600, 1440, 1441, 4320]);
    return { start_time: new Date(start).toISOString(), end_time: new Date(start + minutes * MINUTE).toISOString() };
  });
}

/** The rows of the day in the answers to requests with many windows. */
async function rowsOfDay(seed: number, count: number, given: object) {
  const answers = await Promise.all(windows(seed, count).map((window) => syncPreview(customer, { ...request, ...window, ...given })));
  return answers
    .flatMap(({ results }) => results)
    .filter(({ time_bucket: at }) => Date.parse(String(at)) >= day.start && Date.parse(String(at)) < day.end);
}

describe("a bucket has one value, however the window is placed", () => {
  it("an hour", async () => {
    const rows = await rowsOfDay(1, 24, { measure: "sum_unique_people", activity_type: "hourly" });
    expect(rows.filter((row) => row.sum_unique_people !== hourly.get(rowKey(row.time_bucket, row.geo_id)))).toEqual([]);
    expect(rows.length).toBeGreaterThan(1000);
  });

  it.each(["sum_unique_people", "avg_unique_people", "max_unique_people", "stays_count", "stays_dwell_minutes"] as const)(
    "%s of a day, also if the window has one minute of it",
    async (measure) => {
      const whole = await publishedActivities(FINEST, "daily", measure);
      const rows = await rowsOfDay(2, 8, { measure, activity_type: "daily" });
      expect(rows.filter((row) => row[measure] !== whole.get(rowKey(row.time_bucket, row.geo_id)))).toEqual([]);
      expect(rows.length).toBeGreaterThan(50);
    },
  );
});

describe("the mean and the peak of a day", () => {
  it("are those of its published hours, without the others", async () => {
    const [means, peaks] = await Promise.all([
      publishedActivities(FINEST, "daily", "avg_unique_people"),
      publishedActivities(FINEST, "daily", "max_unique_people"),
    ]);
    expect(cells.length).toBe(30);
    for (const cell of cells) {
      const hours = [...hourly].filter(([key]) => key.endsWith(` ${cell}`)).map(([, people]) => people);
      const key = rowKey(WINDOW.start_time, cell);
      expect([cell, peaks.get(key)]).toEqual([cell, hours.length > 0 ? Math.max(...hours) : undefined]);
      const mean = hours.reduce((sum, people) => sum + people, 0) / hours.length;
      if (hours.length > 0) expect(Math.abs((means.get(key) ?? Number.NaN) - mean)).toBeLessThanOrEqual(0.051);
      else expect(means.has(key)).toBe(false);
    }
  });
});

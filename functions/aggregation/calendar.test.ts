import { beforeAll, describe, expect, it } from "vitest";
import { jobPreview, syncPreview } from "../../infra/testing/reference/answers.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { DAYS, KAUNAS, loadLithuania, VILNIUS } from "../../infra/testing/reference/lithuania.ts";

const customer = await newTokenHolder({ countries: ["LTU"], defaultCountry: "LTU" });

beforeAll(loadLithuania);

const { k: K, step: STEP } = countryOf({ country_code: "LTU" });
const activities = { agg_type: "activities", geo_type: "admin_level_2", geo_ids: [VILNIUS, KAUNAS] };
const flow = { agg_type: "flow", lat: 54.688, lon: 25.28 };

function previewed(request: object) {
  return jobPreview(customer, request);
}

/** The key of each row, with its numbers. */
function valuesOf(rows: readonly Readonly<Record<string, unknown>>[], ...names: readonly string[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

// Worked by hand: Lithuania's clocks go forward at 01:00 UTC on 29 March 2026, and back at 01:00 UTC on 25 October 2026.
describe("a civil day is returned when the window overlaps it", () => {
  it.each<[string, string, string, string[]]>([
    ["the last minute before the short day", "2026-03-28T21:59:00Z", "2026-03-28T22:00:00Z", ["2026-03-28"]],
    ["the first minute of the short day", "2026-03-28T22:00:00Z", "2026-03-28T22:01:00Z", ["2026-03-29"]],
    ["the last millisecond of the short day", "2026-03-29T20:59:59.999Z", "2026-03-29T21:00:00Z", ["2026-03-29"]],
    ["the first millisecond after its 23 hours", "2026-03-29T21:00:00Z", "2026-03-29T21:00:00.001Z", ["2026-03-30"]],
    ["24 hours from its begin", "2026-03-28T22:00:00Z", "2026-03-29T22:00:00Z", ["2026-03-29", "2026-03-30"]],
    ["the short day by the clocks of the country", "2026-03-29T00:00:00+02:00", "2026-03-30T00:00:00+03:00", ["2026-03-29"]],
    ["the day in UTC", "2026-03-29", "2026-03-30", ["2026-03-29", "2026-03-30"]],
    ["the last minute before the long day", "2026-10-24T20:59:00Z", "2026-10-24T21:00:00Z", ["2026-10-24"]],
    ["24 hours from the begin of the long day", "2026-10-24T21:00:00Z", "2026-10-25T21:00:00Z", ["2026-10-25"]],
    ["the last minute of its 25 hours", "2026-10-25T21:59:00Z", "2026-10-25T22:00:00Z", ["2026-10-25"]],
    ["the first minute after it", "2026-10-25T22:00:00Z", "2026-10-25T22:01:00Z", ["2026-10-26"]],
    ["the long day by the clocks of the country", "2026-10-25T00:00:00+03:00", "2026-10-26T00:00:00+02:00", ["2026-10-25"]],
    ["the leap day", "2024-02-29T00:00:00+02:00", "2024-03-01T00:00:00+02:00", ["2024-02-29"]],
    ["noon of the leap day", "2024-02-29T12:00:00Z", "2024-02-29T12:01:00Z", ["2024-02-29"]],
    ["the turn from the leap day to March", "2024-02-29T21:59:00Z", "2024-02-29T22:01:00Z", ["2024-02-29", "2024-03-01"]],
    ["the turn to March without a leap day", "2025-02-28T21:59:00Z", "2025-02-28T22:01:00Z", ["2025-02-28", "2025-03-01"]],
    ["a day between those that are loaded", "2026-06-01", "2026-06-02", []],
    ["a future year", "2096-02-28", "2096-03-02", []],
  ])("%s: %s to %s", async (_what, start_time, end_time, dates) => {
    const window = { start_time, end_time };
    const types = { origin_geo_type: "admin_level_2", destination_geo_type: "admin_level_2" };
    const [day, matrix] = await Promise.all([
      previewed({ ...activities, ...window, measure: "sum_unique_people", activity_type: "daily" }),
      previewed({ agg_type: "odm", measure: "trips", ...types, ...window }),
    ]);
    expect(valuesOf(day.preview, "time_bucket", "sum_unique_people")).toEqual(
      dates.map((date) => [DAYS[date]?.begins, DAYS[date]?.people]),
    );
    expect(day.meta).toEqual({ suppressed_rows: null, unknown_ids: [], k: K, step: STEP });
    expect(valuesOf(matrix.preview, "batch_date", "trips")).toEqual(dates.map((date) => [date, DAYS[date]?.people]));
  });

  it.each([
    ["23 hours", "2026-03-29T12:00:00Z", 120, 230],
    ["25 hours", "2026-10-25T12:00:00Z", 130, 250],
    ["a leap day, whose last hour is withheld", "2024-02-29T12:00:00Z", 120, 230],
  ])("and its mean and peak cover exactly its hours: %s", async (_what, start_time, mean, peak) => {
    const request = { ...activities, activity_type: "daily", start_time, end_time: start_time.replace("12:00", "12:01") };
    const measures = ["avg_unique_people", "max_unique_people"];
    const [means, peaks] = await Promise.all(measures.map((measure) => previewed({ ...request, measure })));
    expect(valuesOf(means?.preview ?? [], "avg_unique_people")).toEqual([[mean]]);
    expect(valuesOf(peaks?.preview ?? [], "max_unique_people")).toEqual([[peak]]);
  });
});

describe("hours are UTC hours when clocks change", () => {
  it.each<[string, string, string, [string, number][]]>([
    ["the first of two hours from 03:00", "2026-10-25T03:00:00+03:00", "2026-10-25T03:59:00+03:00", [["2026-10-25T00", 40]]],
    ["the second of them", "2026-10-25T03:00:00+02:00", "2026-10-25T03:59:00+02:00", [["2026-10-25T01", 50]]],
    [
      "two minutes over the hour that is not there",
      "2026-03-29T02:59:00+02:00",
      "2026-03-29T04:01:00+03:00",
      [
        ["2026-03-29T00", 30],
        ["2026-03-29T01", 40],
      ],
    ],
    ["the end of a leap day, of which one hour is withheld", "2024-02-29T21:30:00Z", "2024-02-29T22:30:00Z", [["2024-02-29T22", 9000]]],
  ])("%s: %s to %s", async (_what, start_time, end_time, hours) => {
    const expected = hours.map(([hour, people]) => [`${hour}:00:00.000Z`, people]);
    const window = { start_time, end_time };
    const [hourly, flows] = await Promise.all([
      previewed({ ...activities, ...window, measure: "max_unique_people", activity_type: "hourly" }),
      previewed({ ...flow, ...window }),
    ]);
    expect(valuesOf(hourly.preview, "time_bucket", "max_unique_people")).toEqual(expected);
    expect(valuesOf(flows.preview, "time_bucket", "people")).toEqual(expected);
  });
});

describe("a synchronous preview covers 24 hours, also when clocks change", () => {
  const hourly = { ...activities, measure: "sum_unique_people", activity_type: "hourly" };
  const short = { start_time: "2026-03-29T00:00:00+02:00", end_time: "2026-03-30T00:00:00+03:00" };
  const long = { start_time: "2026-10-25T00:00:00+03:00", end_time: "2026-10-26T00:00:00+02:00" };

  it("of a day of 23 hours, all of it", async () => {
    const { results, truncated } = await syncPreview(customer, { ...hourly, ...short });
    expect(truncated).toBe(false);
    expect(valuesOf(results, "sum_unique_people").flat()).toEqual(Array.from({ length: 23 }, (_, hour) => 10 * (hour + 1)));
  });

  it("of a day of 25 hours, all but the last", async () => {
    for (const [request, name] of [
      [hourly, "sum_unique_people"],
      [flow, "people"],
    ] as const) {
      const { results, truncated } = await syncPreview(customer, { ...request, ...long });
      expect(truncated).toBe(true);
      expect(valuesOf(results, name).flat()).toEqual(Array.from({ length: 24 }, (_, hour) => 10 * (hour + 1)));
      expect(results.at(-1)).toMatchObject({ time_bucket: "2026-10-25T20:00:00.000Z" });
    }
  });

  it("and every whole day that those hours overlap", async () => {
    const { results, truncated } = await syncPreview(customer, { ...hourly, activity_type: "daily", ...long });
    expect(truncated).toBe(true);
    expect(valuesOf(results, "time_bucket", "sum_unique_people")).toEqual([["2026-10-24T21:00:00.000Z", 1025]]);
  });
});

it("an export of a day of 25 hours holds 25 rows, and its manifest the version of that day", async () => {
  const window = { start_time: "2026-10-24T21:00:00Z", end_time: "2026-10-25T22:00:00Z" };
  const { rows, manifest } = await exported(customer, {
    ...activities,
    ...window,
    measure: "stays_devices",
    activity_type: "hourly",
    format: "parquet",
  });
  expect(rows).toHaveLength(25);
  expect(manifest.data_versions).toEqual([{ batch_date: "2026-10-25", version: 1 }]);
});

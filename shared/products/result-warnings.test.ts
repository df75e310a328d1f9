import * as v from "valibot";
import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import type { CountryRules } from "../countries/country-rules.ts";
import type { ActivitiesRequest } from "./activities.ts";
import { parseCountryTable } from "./countries.ts";
import { clippedAt, leftOut, Warnings, warningsOf } from "./result-warnings.ts";
import type { SummaryRow } from "./summary.ts";
import { queryOf } from "./testing/query-of.ts";

const table = parseCountryTable("infra/countries.json", builtIn);
const ESTONIA = estonia();

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05"];
const REQUEST: ActivitiesRequest = {
  agg_type: "activities",
  country_code: "EST",
  measure: "sum_unique_people",
  activity_type: "daily",
  geo_type: "grid_1000m",
  geo_ids: null,
  start_time: "2026-11-01T00:00:00+02:00",
  end_time: "2026-11-06T00:00:00+02:00",
  full: false,
  format: "csv",
};

function estonia(): CountryRules {
  const { EST } = table;
  if (!EST) throw new Error("the table has no Estonia");
  return EST;
}

function warnings(summary: Partial<SummaryRow> & { days?: readonly string[] }, geo_ids: number[] | null = null): string[] {
  const { days = DAYS, ...rest } = summary;
  const row = {
    total_rows: 1,
    unknown_ids: [],
    newest_date: "2026-11-05",
    data_versions: days.map((batch_date) => ({ batch_date, version: 1 })),
    ...rest,
  };
  const request: ActivitiesRequest = { ...REQUEST, geo_ids };
  const found = warningsOf(queryOf(request, table), row, ESTONIA);
  return v.parse(Warnings, found).map(({ code, detail }) => `${code}: ${detail}`);
}

const end = "GET /data-availability lists the days";

describe("days without data", () => {
  it("are none in a complete window", () => {
    expect(warnings({})).toEqual([]);
  });

  it.each([
    ["the last days", ["2026-11-01", "2026-11-02", "2026-11-03"], "2026-11-03", "2026-11-04 to 2026-11-05 (days of Europe/Tallinn) yet"],
    ["one day within", ["2026-11-01", "2026-11-02", "2026-11-04", "2026-11-05"], "2026-11-05", "2026-11-03 (days of Europe/Tallinn)"],
    ["the first day", DAYS.slice(1), "2026-11-05", "2026-11-01 (days of Europe/Tallinn)"],
    ["two gaps", ["2026-11-03"], "2026-11-03", "2026-11-01 to 2026-11-02, 2026-11-04 to 2026-11-05 (days of Europe/Tallinn)"],
    ["all, before the data", [], "2026-12-31", "2026-11-01 to 2026-11-05 (days of Europe/Tallinn)"],
    ["all, after the data", [], "2026-10-31", "2026-11-01 to 2026-11-05 (days of Europe/Tallinn) yet"],
  ])("are named as ranges, with the newest day: %s", (_which, days, newest_date, named) => {
    expect(warnings({ days, newest_date })).toEqual([`no_data: There is no data of ${named}; the newest is of ${newest_date}. ${end}`]);
  });

  it("of a product without any data are told as such", () => {
    expect(warnings({ days: [], newest_date: null })).toEqual(["no_data: There is no data of this product in this country yet"]);
  });
});

describe("geographies without published rows", () => {
  const either = "nobody was counted there, or too few to publish, which is not told apart";

  it("are counted and named, without those that do not exist", () => {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const unknown = (id: number) =>
      `unknown_ids: These ids are no geographies of the requested type and country: ${id}. GET /geographies finds ids by name`;
    expect(warnings({ published_ids: { geo_ids: [9, 2] }, unknown_ids: [8] }, ids)).toEqual([
      unknown(8),
      `no_published_rows: 6 of 9 geo_ids have no published row in the window: 1, 3, 4, 5, 6 and 1 more; ${either}`,
    ]);
    expect(warnings({ published_ids: { geo_ids: [1, 2] }, unknown_ids: [3] }, [1, 2, 3])).toEqual([unknown(3)]);
    expect(warnings({ published_ids: { geo_ids: null } }, [1])).toEqual([
      `no_published_rows: 1 of 1 geo_ids have no published row in the window: 1; ${either}`,
    ]);
  });

  it("are told of a whole window without rows, withheld or none", () => {
    const message = [`no_published_rows: The window has no published row: ${either}`];
    expect(warnings({ total_rows: 0 })).toEqual(message);
    expect(warnings({ total_rows: 1, valued_rows: 0 }), "a row that stands for none").toEqual(message);
  });

  it("are not told where there is no data at all", () => {
    expect(warnings({ days: [], total_rows: 0 }, [1]).map((text) => text.split(":")[0])).toEqual(["no_data"]);
  });
});

it("a window that is shown in part says until when", () => {
  expect(v.parse(Warnings, [clippedAt("2026-11-02T00:00:00.000Z", "24 hours")])).toEqual([
    {
      code: "window_clipped",
      detail: "Only the first 24 hours of the window are shown, until 2026-11-02T00:00:00.000Z; a job has all of it",
    },
  ]);
});

it("a preview says how many of its rows it shows", () => {
  expect(v.parse(Warnings, [leftOut(5000, 7120)])).toEqual([
    { code: "rows_left_out", detail: "Only the 5,000 largest of 7,120 rows are shown; a job has all of them" },
  ]);
});

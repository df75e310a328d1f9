import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { NoRow, statement } from "../../shared/google/statement.ts";
import { AvailabilityResponse } from "../../shared/products/availability-schemas.ts";
import { config } from "../../shared/runtime/config.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);

async function list(query = "") {
  const answer = await call("data", "GET", `/data-availability${query}`, { key });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(AvailabilityResponse, answer.body).results;
}

describe("data availability", () => {
  it("lists the batches of the customer's default country, by dataset, table and date", async () => {
    // Since the first day of the sample: other tests delete days of before.
    const results = await list(`?start_time=${date(30)}`);
    expect(new Set(results.map(({ country_code }) => country_code))).toEqual(new Set(["EST"]));
    const keys = results.map(({ dataset, table_name, batch_date }) => [dataset, table_name, batch_date].join(" "));
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(results.map(({ table_name }) => table_name)).size).toBe(4);
    expect(results.every(({ total_rows }) => total_rows > 0)).toBe(true);
    // What is published of each type adds up to the batch.
    const rows = results.map(({ total_rows, geo_types }) => [
      total_rows,
      geo_types.reduce((sum, { published_rows: some }) => sum + some, 0),
    ]);
    expect(rows.filter(([total, sum]) => total !== sum)).toEqual([]);
  });

  it.each([
    ["flows", ["flows_hourly"]],
    ["odm", ["odm_daily"]],
    ["activities", ["activities_daily", "activities_hourly"]],
  ])("of %s lists only its tables", async (dataset, tables) => {
    const results = await list(`?dataset=${dataset}`);
    expect([...new Set(results.map(({ table_name }) => table_name))]).toEqual(tables);
    expect(results.every((row) => row.dataset === dataset)).toBe(true);
  });

  it("includes both ends of the date range, whatever the times and their offsets", async () => {
    const dates = async (query: string) => (await list(`?dataset=odm&${query}`)).map(({ batch_date }) => batch_date);
    expect(await dates(`start_time=${date(5)}&end_time=${date(3)}`)).toEqual([date(5), date(4), date(3)]);
    const times = `start_time=${date(5)}T23:59:59-05:00&end_time=${date(3)}T00:00:00Z`;
    expect(await dates(times)).toEqual([date(5), date(4), date(3)]);
    expect(await dates(`start_time=${date(3)}&end_time=${date(3)}`)).toEqual([date(3)]);
    expect(await dates("end_time=1999-12-31")).toEqual([]);
  });

  it("says which days were listed: first_date and last_date, null for no limit", async () => {
    const asked = async (query: string) => (await call("data", "GET", `/data-availability${query}`, { key })).body;
    const limits = { first_date: date(5), last_date: date(3) };
    expect(await asked(`?start_time=${date(5)}T12:00:00Z&end_time=${date(3)}T12:00:00Z`)).toMatchObject({ country_code: "EST", ...limits });
    expect(await asked("")).toMatchObject({ country_code: "EST", first_date: null, last_date: null });
  });

  it("takes country as a deprecated alias of country_code, and says so in a header", async () => {
    const [old, current] = await Promise.all(
      ["country", "country_code"].map((name) => call("data", "GET", `/data-availability?${name}=NOR&dataset=odm`, { key })),
    );
    expect(old?.body).toEqual(current?.body);
    expect(old?.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(current?.headers.get("deprecation")).toBeNull();
  });

  it("returns the newest version of each day of the requested country with its published rows, and nothing about presence", async () => {
    const lithuanian = keyOf(await newCustomer({ countries: ["LTU"], defaultCountry: "LTU" }));
    const batches = [
      ["odm_daily", "2022-03-01", 1, 10, "2022-03-02T01:00:00Z"],
      ["odm_daily", "2022-03-01", 2, 12, "2022-03-05T01:00:00Z"],
      ["odm_daily", "2022-03-02", 1, 20, "2022-03-03T01:00:00Z"],
      ["presence", "2022-03-01", 1, 99, "2022-03-02T01:00:00Z"],
    ] as const;
    for (const [table, day, version, rows, at] of batches) {
      const sql = `INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, version, row_count, loaded_at)
VALUES ("LTU", @table_name, @day, @version, @row_count, @at)`;
      const parameters = {
        table_name: { type: "STRING", value: table },
        day: { type: "DATE", value: day },
        version: { type: "INT64", value: version },
        row_count: { type: "INT64", value: rows },
        at: { type: "TIMESTAMP", value: at },
      } as const;
      await openWarehouse(config()).query(statement(NoRow, sql, parameters), { customer: "all" });
    }
    await openWarehouse(config()).query(
      statement(
        NoRow,
        `INSERT INTO \`mobility.batch_geo_types\`
  (country_code, table_name, batch_date, version, geo_type, destination_geo_type, published_rows, withheld_people_percent)
VALUES ("LTU", "odm_daily", "2022-03-01", 1, "grid_250m", "grid_250m", 9, 90), ("LTU", "odm_daily", "2022-03-01", 2, "grid_250m", "grid_250m", 8, 7),
  ("LTU", "odm_daily", "2022-03-01", 2, "admin_level_2", "admin_level_4", 4, NULL)`,
        {},
      ),
      { customer: "all" },
    );
    const geo_types = [
      { geo_type: "admin_level_2", destination_geo_type: "admin_level_4", published_rows: 4, withheld_people_percent: null },
      { geo_type: "grid_250m", destination_geo_type: "grid_250m", published_rows: 8, withheld_people_percent: 7 },
    ];
    const asked = "start_time=2022-03-01&end_time=2022-03-31";
    const row = { country_code: "LTU", dataset: "odm", table_name: "odm_daily" };
    expect((await call("data", "GET", `/data-availability?country_code=lt&${asked}`, { key: lithuanian })).body).toEqual({
      country_code: "LTU",
      first_date: "2022-03-01",
      last_date: "2022-03-31",
      results: [
        { ...row, batch_date: "2022-03-01", total_rows: 12, geo_types, last_modified_time: "2022-03-05T01:00:00.000Z" },
        { ...row, batch_date: "2022-03-02", total_rows: 20, geo_types: [], last_modified_time: "2022-03-03T01:00:00.000Z" },
      ],
    });
    expect(await list(`?${asked}`)).toEqual([]);
    const norwegian = await list("?country_code=no&dataset=odm");
    expect(new Set(norwegian.map(({ country_code }) => country_code))).toEqual(new Set(["NOR"]));
  });

  it.each([
    ["?country=SWE", "/country", expect.stringContaining("must be one of")],
    ["?country_code=SWE", "/country_code", expect.stringContaining("must be one of")],
    ["?country_code=EST&country=EST", "/country", "is the deprecated alias of country_code: give one of the two"],
    ["?dataset=flow", "/dataset", "must be one of activities, flows, odm"],
    ["?start_time=yesterday", "/start_time", expect.stringContaining("ISO 8601")],
    ["?start_time=2026-11-02&end_time=2026-11-01", "/end_time", "must not be before start_time"],
  ])("rejects %s", async (query, pointer, detail) => {
    const answer = await call("data", "GET", `/data-availability${query}`, { key });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer, detail }] } });
  });

  it("of a country that the key does not cover is a 403", async () => {
    const norwegian = await newCustomer({ countries: ["NOR"], defaultCountry: "NOR" });
    const answer = await call("data", "GET", "/data-availability?country_code=EST", { key: keyOf(norwegian) });
    expect(answer).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  });
});

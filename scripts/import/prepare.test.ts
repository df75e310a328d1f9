import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { prepared, refusalOf } from "./testing/prepared.ts";

const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices,average_speed_kmh";
const odm = (changes: Readonly<Record<string, string>> = {}): string =>
  ODM.split(",")
    .map((name, index) => changes[name] ?? ["EST", "2026-03-01", "grid_1000m", "1", "grid_1000m", "2", "30", "7", "1200.5"][index])
    .join(",");
const GEOGRAPHY = "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat,geometry";
const FLOW = "country_code,link_id,time_bucket,direction,people,devices";
const ACTIVITY = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";

describe("a bad value is reported with line, column and value", () => {
  test.each([
    ["trips", "12x", "is not a whole number"],
    ["trips", "3.5", "is not a whole number"],
    ["trips", "1e3", "is not a whole number"],
    ["trips", "-1", "is negative"],
    ["trips", "9007199254740993", "is too large"],
    ["trips", "99999999999999999999", "is too large"],
    ["devices", "", "a value is missing"],
    ["devices", " ", "a value is missing"],
    ["origin_geo_id", "-4", "is negative"],
    ["average_speed_kmh", "far", "is not a number"],
    ["average_speed_kmh", "nan", "is not a number"],
    ["average_speed_kmh", "1e999", "is too large"],
    ["average_speed_kmh", "-0.1", "is negative"],
    ["batch_date", "2026-02-30", "is not a date (YYYY-MM-DD)"],
    ["batch_date", "01/07/2019", "is not a date"],
    ["batch_date", "1019-01-07", "is not a date from 1970 to 9998"],
    ["country_code", "est", "is not a known country (EST, UTO, NOM)"],
    ["origin_geo_type", "grid_500m", "is not one of grid_250m, grid_1000m"],
  ])("%s of %j", async (column, value, says) => {
    const message = await refusalOf("odm_daily", madeCsv(ODM, odm({ origin_geo_id: "9" }), odm({ [column]: value })));
    expect(message).toContain("FILE has 1 error. Nothing was loaded:\n");
    expect(message).toContain(`  line 3, column ${column}: ${value.trim() === "" ? "" : `"${value}" `}${says}`);
  });

  test.each([
    ["lon", "180.5", "is not a longitude"],
    ["lat", "-90.01", "is not a latitude"],
    ["geo_name", "", 'a value is missing; for an empty text write ""'],
    ["geometry", "POLYGON ((1 1, 2 2, 1 1))", "is not the WKT of a polygon or a line"],
    ["geometry", "POLYGON ((1 1, 2 2, 1 2, 1 1)) x", "is not the WKT"],
    ["geometry", "POLYGON ((1 1, 2 2, 200 2, 1 1))", "has a point outside"],
    ["geometry", "POLYGON ((1 1, 2 2, 1 95, 1 1))", "has a point outside"],
  ])("%s of %j in geographies", async (column, value, says) => {
    const row = {
      country_code: "EST",
      geo_type: "admin_level_4",
      geo_id: "1",
      geo_name: "A",
      parent_id: "",
      lon: "24",
      lat: "59",
      geometry: "",
    };
    const text = Object.values({ ...row, [column]: value }).map((cell) => (cell.includes(",") ? `"${cell}"` : cell));
    expect(await refusalOf("geographies", madeCsv(GEOGRAPHY, text.join(",")))).toContain(`line 2, column ${column}: `);
    expect(await refusalOf("geographies", madeCsv(GEOGRAPHY, text.join(",")))).toContain(says);
  });

  test("a geometry that no answer can have", async () => {
    const long = `POLYGON ((${"24.123456 59.123456, ".repeat(400_000)}24.123456 59.123456))`;
    const message = await refusalOf("geographies", madeCsv(GEOGRAPHY, `EST,admin_level_4,1,A,,24,59,"${long}"`));
    expect(message).toMatch(/line 2, column geometry: "POLYGON.{1,200} has more than 8 MiB of text: simplify it$/);
  });

  test.each([
    ["direction", "EST,1,2026-03-01T10:00:00Z,0,1,1", '"0" is neither -1 nor 1'],
    ["time_bucket", "EST,1,2026-03-01T10:00:00,1,1,1", '"2026-03-01T10:00:00" has no offset'],
    ["time_bucket", "EST,1,2026-03-01T25:00:00Z,1,1,1", "is not a time"],
    ["time_bucket", "EST,1,2026-02-30T10:00:00Z,1,1,1", "is not a time"],
    ["time_bucket", "EST,1,yesterday,1,1,1", '"yesterday" is not a time'],
    ["time_bucket", "EST,1,2026-03-01T10:30:00Z,1,1,1", '"2026-03-01T10:30:00Z" is not the start of an hour'],
  ])("%s in %s", async (column, line, says) => {
    const message = await refusalOf("flows_hourly", madeCsv(FLOW, line));
    expect(message).toContain(`line 2, column ${column}: `);
    expect(message).toContain(says);
  });

  test("weights are shares", async () => {
    const file = madeCsv(
      "country_code,geo_type,geo_id,cell_id,weight",
      "EST,admin_level_4,1,2,1",
      "EST,admin_level_4,1,3,0",
      "EST,admin_level_4,1,4,1.01",
    );
    const message = await refusalOf("geography_cells", file);
    expect(message).toMatch(
      /2 errors.*\n {2}line 3, column weight: "0" is not a share.*\n {2}line 4, column weight: "1.01" is not a share/,
    );
  });

  test("roads are lines", async () => {
    const file = madeCsv(
      "country_code,link_id,name,class,geometry",
      "EST,1,,primary,POINT (1 1)",
      'EST,2,"",primary,"LINESTRING (1 1, 2 2)"',
    );
    const message = await refusalOf("road_links", file);
    expect(message).toContain("line 2, column name: a value is missing");
    expect(message).toContain('line 2, column geometry: "POINT (1 1)" is not the WKT of a line');
    expect(message).not.toContain("line 3");
  });

  test("and the file's column name if it differs", async () => {
    const file = madeCsv(ODM.replace("trips", "pop_flows"), odm({ trips: "12x" }));
    const message = await refusalOf("odm_daily", file, "--column", "trips=pop_flows");
    expect(message).toContain('line 2, column trips (pop_flows): "12x" is not a whole number');
  });

  test("all are counted; a hundred are shown in file order, with long values truncated", async () => {
    const bad = Array.from({ length: 130 }, (_, index) => odm({ destination_geo_id: String(index), trips: `${"9".repeat(200)}x` }));
    const message = await refusalOf("odm_daily", madeCsv(ODM, ...bad));
    const shown = message.split("\n");
    expect(shown[0]).toContain("has 130 errors");
    expect(shown.slice(1, -1).map((line) => /line (\d+)/.exec(line)?.[1])).toEqual(
      Array.from({ length: 100 }, (_, index) => String(index + 2)),
    );
    expect(shown.at(-1)).toBe("  and 30 more");
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(160);
  });

  test("line numbers match an editor's, also after quoted line breaks", async () => {
    const file = madeCsv(GEOGRAPHY, 'EST,admin_level_4,1,"two\nlines",,24,59,', "", "EST,admin_level_4,2,B,,24,north,");
    expect(await refusalOf("geographies", file)).toContain('line 5, column lat: "north" is not a number');
  });
});

describe("all errors of a file are reported at once", () => {
  test("of malformed lines, of values, and between values, in file order", async () => {
    const flow = (bucket: string, people = "5", link = "1"): string => `EST,${link},${bucket},1,${people},5`;
    const file = madeCsv(
      FLOW,
      flow("2026-03-01T10:00:00Z"),
      "EST,2",
      flow("2026-03-01T10:30:00Z", "many"),
      flow("2026-03-01T10:00:00Z", "-6"),
      'EST,"3"x,2026-03-01T10:00:00Z,1,5,5',
      flow("yesterday"),
      flow("2026-03-01T11:00:00Z"),
    );
    expect((await refusalOf("flows_hourly", file)).split("\n")).toEqual([
      "FILE has 7 errors. Nothing was loaded:",
      "  line 3: 2 values where the header has 6 columns",
      '  line 4, column people: "many" is not a whole number',
      '  line 4, column time_bucket: "2026-03-01T10:30:00Z" is not the start of an hour',
      '  line 5, column people: "-6" is negative',
      expect.stringMatching(/^ {2}line 5: the same country_code, link_id, .* as line 2$/),
      "  line 6: text follows a closing quotation mark; inside a quoted value, write each quotation mark twice",
      '  line 7, column time_bucket: "yesterday" is not a time (YYYY-MM-DDTHH:MM:SSZ)',
    ]);
  });

  test("and of --set", async () => {
    const file = madeCsv(FLOW.replace("country_code,", ""), "1,2026-03-01T10:00:00Z,1,many,5");
    expect((await refusalOf("flows_hourly", file, "--set", "country_code=XXX")).split("\n")).toEqual([
      '--set country_code: "XXX" is not a known country (EST, UTO, NOM)',
      "FILE has 1 error. Nothing was loaded:",
      '  line 2, column people: "many" is not a whole number',
    ]);
  });

  test("even if no line is well-formed", async () => {
    expect((await refusalOf("flows_hourly", madeCsv(FLOW, "1", "2"))).split("\n")).toHaveLength(3);
  });
});

test("raw rows hold any number of stays: publishing decides what is told of few", async () => {
  const row = (hour: number, stays: number, devices: number) =>
    `EST,admin_level_4,1,2026-03-01T${hour}:00:00Z,${devices},${stays},60,${stays},${devices}`;
  const rows = [row(10, 0, 9), row(11, 5, 5), row(12, 3, 4), row(13, 1, 500), row(14, 4, 5)];
  expect((await prepared("activities_hourly", madeCsv(ACTIVITY, ...rows))).rows).toHaveLength(5);
});

describe("rows that contradict each other", () => {
  test("a duplicate key is reported with both lines", async () => {
    const message = await refusalOf(
      "odm_daily",
      madeCsv(ODM, odm(), odm({ origin_geo_id: "5" }), odm({ trips: "31" }), odm({ trips: "32" })),
    );
    expect(message).toContain("2 errors");
    expect(message).toMatch(/line 4: the same country_code, batch_date, .* \(EST, 2026-03-01, grid_1000m, 1, grid_1000m, 2\) as line 2/);
    expect(message).toContain("line 5: the same ");
  });

  test("ids with the same number are the same id", async () => {
    expect(await refusalOf("odm_daily", madeCsv(ODM, odm({ origin_geo_id: "7" }), odm({ origin_geo_id: "07.0" })))).toContain(
      "line 3: the same ",
    );
  });
});

describe("days are civil days of the country", () => {
  test("batch_date follows from the hour if it is not given", async () => {
    const { rows, batches } = await prepared(
      "flows_hourly",
      madeCsv(FLOW, "EST,1,2026-02-28T21:00:00Z,1,5,5", "EST,1,2026-02-28T22:00:00Z,1,5,5", "UTO,1,2026-03-01 00:00:00+01,1,5,5"),
    );
    expect(rows.map(({ batch_date }) => batch_date)).toEqual(["2026-02-28", "2026-03-01", "2026-02-28"]);
    expect(batches).toEqual([
      { country: "EST", period: "2026-02-28", rows: 1 },
      { country: "EST", period: "2026-03-01", rows: 1 },
      { country: "UTO", period: "2026-02-28", rows: 1 },
    ]);
  });

  test("a batch_date other than the hour's day is rejected", async () => {
    const file = madeCsv(FLOW, "EST,1,2026-03-01T22:00:00Z,1,5,5");
    expect(await refusalOf("flows_hourly", file, "--set", "batch_date=2026-03-01")).toContain(
      'line 2, column batch_date: "2026-03-01" is not the day of 2026-03-01T22:00:00Z in Europe/Tallinn, which is 2026-03-02',
    );
  });

  test("a day begins at midnight in the country, also when clocks change", async () => {
    const day = (bucket: string): string => `EST,admin_level_4,1,${bucket},5,5,5,5,5`;
    const { rows } = await prepared("activities_daily", madeCsv(ACTIVITY, day("2025-03-29T22:00:00Z"), day("2025-03-30T21:00:00Z")));
    expect(rows.map(({ batch_date }) => batch_date)).toEqual(["2025-03-30", "2025-03-31"]);
    expect(await refusalOf("activities_daily", madeCsv(ACTIVITY, day("2025-03-30T22:00:00Z")))).toContain(
      'line 2, column time_bucket: "2025-03-30T22:00:00Z" is not when 2025-03-31 begins in Europe/Tallinn, which is 2025-03-30T21:00:00Z',
    );
  });

  test.each([
    "2026-03-01T10:00:00Z",
    "2026-03-01T10:00Z",
    "2026-03-01 10:00:00 UTC",
    "2026-03-01 12:00:00+02",
    "2026-03-01T12:00+02:00",
    "2026-03-01T05:00:00.000 -0500",
  ])("%s is an hour", async (bucket) => {
    const { rows } = await prepared("flows_hourly", madeCsv(FLOW, `EST,1,${bucket},-1,5,5`));
    expect(rows).toMatchObject([{ time_bucket: "2026-03-01 10:00:00+00" }]);
  });
});

import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { prepared, refusalOf } from "./testing/prepared.ts";

const SETS = ["country_code=EST", "batch_date=2026-03-01", "origin_geo_type=grid_1000m", "destination_geo_type=grid_1000m"].flatMap(
  (set) => ["--set", set],
);

describe("columns", () => {
  test("come from the file under the table's name or another, or from a constant; others of the file are left", async () => {
    const file = madeCsv("from,destination_geo_id,n,devices,remark", "01,2,33625736.0,7,x");
    const { rows } = await prepared("odm_daily", file, ...SETS, "--column", "origin_geo_id=from", "--column", "trips=n");
    expect(rows).toEqual([
      {
        country_code: "EST",
        batch_date: "2026-03-01",
        origin_geo_type: "grid_1000m",
        origin_geo_id: "1",
        destination_geo_type: "grid_1000m",
        destination_geo_id: "2",
        trips: "33625736",
        devices: "7",
      },
    ]);
  });

  test("a given column goes before one of the same name", async () => {
    const file = madeCsv("origin_geo_id,destination_geo_id,trips,devices,other", "1,2,3,4,5");
    const { rows } = await prepared("odm_daily", file, ...SETS, "--column", "trips=other", "--set", "devices=9");
    expect(rows).toMatchObject([{ trips: "5", devices: "9" }]);
  });

  test("that are missing are named, beside what the file and the table have", async () => {
    const says = await refusalOf("odm_daily", madeCsv("from,to", "1,2"), ...SETS);
    expect(says).toContain("origin_geo_id, destination_geo_id, trips, devices: neither the file nor --column nor --set gives them");
    expect(says).toContain("The file has: from, to");
    expect(says).toContain("general_distance_m (optional)");
  });

  test.each([
    [["--set", "speed=3"], "speed: mobility.odm_daily has no such column"],
    [["--column", "trips=count"], "trips: the file has no column count"],
    [["--set", "trips=1", "--column", "trips=n"], "trips: it is given twice"],
    [["--set", "publishable=true"], "publishable: it is decided when a file is loaded and cannot be given"],
    [["--column", "publishable=n"], "publishable: it is decided when a file is loaded and cannot be given"],
  ])("that do not fit are refused: %j", async (options, says) => {
    const file = madeCsv("origin_geo_id,destination_geo_id,trips,devices,n", "1,2,3,4,5");
    expect(await refusalOf("odm_daily", file, ...SETS, ...options)).toContain(says);
  });

  test("a wrong constant is refused by its option", async () => {
    const file = madeCsv("origin_geo_id,destination_geo_id,devices", "1,2,3");
    const says = await refusalOf("odm_daily", file, ...SETS, "--set", "trips=3.5");
    expect(says).toBe('--set trips: "3.5" is not a whole number');
  });
});

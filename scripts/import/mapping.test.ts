import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { prepared, refusalOf } from "./testing/prepared.ts";

const SETS = ["country_code=EST", "batch_date=2026-03-01", "origin_geo_type=grid_1000m", "destination_geo_type=grid_1000m"].flatMap(
  (set) => ["--set", set],
);

describe("columns", () => {
  test("come from the file under the table's name or another, or from a constant; other columns are ignored", async () => {
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

  test("an option takes precedence over a column of the same name", async () => {
    const file = madeCsv("origin_geo_id,destination_geo_id,trips,devices,other", "1,2,3,4,5");
    const { rows } = await prepared("odm_daily", file, ...SETS, "--column", "trips=other", "--set", "devices=9");
    expect(rows).toMatchObject([{ trips: "5", devices: "9" }]);
  });

  test("may differ from the table's in letter case and blanks, unless several do", async () => {
    const { rows } = await prepared("odm_daily", madeCsv("ORIGIN_GEO_ID, Destination_Geo_Id, trips ,Devices", "1,2,3,4"), ...SETS);
    expect(rows).toMatchObject([{ origin_geo_id: "1", destination_geo_id: "2", trips: "3", devices: "4" }]);
    const several = madeCsv("origin_geo_id,destination_geo_id,Trips, TRIPS,devices", "1,2,3,4,5");
    const says = await refusalOf("odm_daily", several, ...SETS);
    expect(says).toContain('trips: the file has Trips, " TRIPS": name one of them by --column');
    expect(says).toContain('The file has: origin_geo_id, destination_geo_id, Trips, " TRIPS", devices');
    expect(await prepared("odm_daily", several, ...SETS, "--column", "trips= TRIPS")).toMatchObject({ rows: [{ trips: "4" }] });
  });

  test("that are missing are listed with the columns of the file and the table", async () => {
    const says = await refusalOf("odm_daily", madeCsv("from,to", "1,2"), ...SETS);
    expect(says).toContain("origin_geo_id, destination_geo_id, trips, devices: required by odm_daily, but not in the file");
    expect(says).toContain("The file has: from, to");
    expect(says).toContain("average_speed_kmh (optional)");
  });

  test.each([
    [["--set", "speed=3"], "speed: odm_daily has no such column"],
    [["--column", "trips=count"], "trips: the file has no column count"],
    [["--set", "trips=1", "--column", "trips=n"], "trips: given twice"],
    [["--set", "loaded_on=2026-03-01"], "loaded_on: the import computes it; it cannot be set"],
    [["--column", "loaded_on=n"], "loaded_on: the import computes it; it cannot be set"],
    [["--set", "general_distance_m=1"], "general_distance_m: the import computes it; it cannot be set"],
  ])("that do not match are rejected: %j", async (options, says) => {
    const file = madeCsv("origin_geo_id,destination_geo_id,trips,devices,n", "1,2,3,4,5");
    expect(await refusalOf("odm_daily", file, ...SETS, ...options)).toContain(says);
  });

  test("a wrong constant is reported with its option", async () => {
    const file = madeCsv("origin_geo_id,destination_geo_id,devices", "1,2,3");
    const says = await refusalOf("odm_daily", file, ...SETS, "--set", "trips=3.5");
    expect(says).toBe('--set trips: "3.5" is not a whole number');
  });
});

import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { ACTIVITIES, CELL, geographiesFile, PLACES, startWithPlaces, valuesOf } from "./testing/nested-places.ts";

/** An hour of a geography: four people a device. Stays are of `stays` devices, one and a half each, of half an hour. */
const hour = (type: string, id: number, devices: number, stays = 0): string =>
  `EST,${type},${id},2026-03-01T10:00:00Z,${devices * 4},${stays * 1.5},${stays * 30},${stays},${devices}`;
const QUARTER = CELL + 7500000250;

describe("activities of several levels", () => {
  const TOLD = `SELECT geo_type, people, stays_devices, stays_count, stays_dwell_minutes FROM mobility.activities_hourly
    WHERE batch_date = '2026-03-01' ORDER BY geo_type, geo_id`;

  test("have withheld parts taken out of coarser counts, and stays that are sums of the told finest parts", async () => {
    const started = await startWithPlaces();
    const lines = [hour("grid_250m", CELL, 30, 20), hour("grid_250m", QUARTER, 3, 2), hour("grid_250m", CELL + 1000, 20, 10)];
    const coarser = [hour("grid_1000m", CELL, 33, 22), hour("grid_1000m", CELL + 1000, 20, 10), hour("admin_level_4", 4, 53, 32)];
    const said = await started.run("activities_hourly", "--file", madeCsv(ACTIVITIES, ...lines, ...coarser));
    expect(said.slice(2)).toEqual([
      "Loaded activities_hourly 2026-03-01 EST: 6 rows, 5 published, version 1",
      "Raw rows stay in intake for 14 days; mobility.activities_hourly has what is published of them",
    ]);
    // 33 devices less the 3 withheld are the 30 that the told cell has. The area's 53 less 3 are told as 50.
    expect(await valuesOf(started, TOLD)).toEqual([
      ["admin_level_4", 200, 30, 45, 900],
      ["grid_1000m", 120, 20, 30, 600],
      ["grid_1000m", 80, 10, 15, 300],
      ["grid_250m", 120, 20, 30, 600],
      ["grid_250m", 80, 10, 15, 300],
    ]);
  });

  test("are not published without rows of the finest type, and the import says so", async () => {
    const started = await startWithPlaces();
    const file = madeCsv(ACTIVITIES, hour("grid_1000m", CELL, 30), hour("admin_level_4", 4, 50));
    expect((await started.run("activities_hourly", "--file", file)).slice(2, 4)).toEqual([
      "Loaded activities_hourly 2026-03-01 EST: 2 rows, 0 published, version 1",
      "Warning: 2026-03-01 EST: no row has grid_250m, the finest type that EST offers. Coarser rows are published by their finest parts, so nothing is published",
    ]);
    expect(await valuesOf(started, TOLD)).toEqual([]);
  });

  test("are rejected without storing anything if containment is unknown", async () => {
    const started = await startWithPlaces(PLACES.slice(4));
    const file = madeCsv(ACTIVITIES, hour("grid_1000m", CELL, 30), hour("grid_1000m", CELL + 1000, 3), hour("admin_level_4", 4, 33));
    await expect(started.run("activities_hourly", "--file", file)).rejects.toThrow(
      `1 id in geo_id not in geographies: ${CELL}\nWhat is published of a row depends on the geographies around it: load geographies first`,
    );
    expect(await started.rows('SELECT geo_id FROM intake.activities_hourly WHERE loaded_on > "1970-01-01"')).toEqual([]);
    expect(await started.staged()).toEqual([]);
  });

  test.each([
    ["has no parent_id", ""],
    ["has one that is no geography", "404"],
  ])("cause a warning if a finer row %s", async (_, parent) => {
    const places = PLACES.map((place) => place.replace(`EST,grid_250m,${CELL},a,4`, `EST,grid_250m,${CELL},a,${parent}`));
    const { run } = await startWithPlaces(places);
    const file = madeCsv(ACTIVITIES, hour("grid_250m", CELL, 30), hour("grid_250m", CELL + 1000, 3), hour("admin_level_4", 4, 33));
    expect(await run("activities_hourly", "--file", file)).toContain(
      `Warning: 1 id in geo_id without a parent in geographies: ${CELL}. No coarser row counts them`,
    );
  });
});

describe("pairs of several levels", () => {
  const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";
  const pair = (from: string, to: string, trips: number, devices: number): string => `EST,2026-03-01,${from},${to},${trips},${devices}`;
  const PAIRS = [
    pair(`grid_1000m,${CELL}`, `grid_1000m,${CELL + 2000}`, 42, 10),
    pair(`grid_1000m,${CELL + 1000}`, `grid_1000m,${CELL + 2000}`, 30, 4),
    pair(`grid_1000m,${CELL + 2000}`, `grid_1000m,${CELL}`, 6, 3),
    pair("admin_level_4,4", "admin_level_4,5", 72, 14),
    pair("admin_level_4,5", "admin_level_4,4", 6, 9),
    pair(`grid_1000m,${CELL}`, "admin_level_2,2", 42, 10),
  ];
  const TRIPS = `SELECT origin_geo_type, destination_geo_type, origin_geo_id, trips FROM mobility.odm_daily WHERE batch_date = '2026-03-01' ORDER BY 1, 2, 3`;

  test("are sums of the told finest pairs, and get other areas with reloaded geographies", async () => {
    const started = await startWithPlaces();
    const file = madeCsv(ODM, ...PAIRS);
    expect(await started.run("odm_daily", "--file", file)).toContain("Loaded odm_daily 2026-03-01 EST: 6 rows, 3 published, version 1");
    expect(await valuesOf(started, TRIPS)).toEqual([
      ["admin_level_4", "admin_level_4", 4, 40],
      ["grid_1000m", "admin_level_2", CELL, 40],
      ["grid_1000m", "grid_1000m", CELL, 40],
    ]);
    expect((await started.run("odm_daily", "--file", file)).at(-1)).toBe("Nothing to do: already loaded, published version 1");
    const moved = PLACES.map((place) => place.replace(/^(EST,grid_\w+,\d+,[abA],)4/, "$15"));
    await started.run("geographies", "--file", geographiesFile(moved));
    await started.run("odm_daily", "--file", file);
    expect((await valuesOf(started, TRIPS)).at(0)).toEqual(["admin_level_4", "admin_level_4", 5, 40]);
  });

  test("are not published without pairs whose both ends are of the finest type, and the import says so", async () => {
    const started = await startWithPlaces();
    const lines = await started.run("odm_daily", "--file", madeCsv(ODM, ...PAIRS.slice(3)));
    expect(lines[2]).toBe("Loaded odm_daily 2026-03-01 EST: 3 rows, 0 published, version 1");
    expect(lines[3]).toMatch(/^Warning: 2026-03-01 EST: no row has grid_1000m, the finest type that EST offers\./);
  });
});

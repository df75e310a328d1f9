import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const GEOGRAPHIES = "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat";
/** Two 1 km cells in area 4, one in area 5, both areas in county 2; a quarter of the first cell, and one next to it in the second. */
const CELL = 51520004124000;
const PLACES = [
  ...[`EST,grid_250m,${CELL},a,4,25,59`, `EST,grid_250m,${CELL + 7500000250},b,4,25,59`, `EST,grid_250m,${CELL + 1000},c,4,25,59`],
  ...[`EST,grid_1000m,${CELL},A,4,25,59`, `EST,grid_1000m,${CELL + 1000},B,4,25,59`, `EST,grid_1000m,${CELL + 2000},C,5,25,59`],
  ...["EST,admin_level_4,4,Area,2,25,59", "EST,admin_level_4,5,Other area,2,25,59", "EST,admin_level_2,2,County,,25,59"],
];
const ACTIVITIES = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";

async function warehouse(places: readonly string[] = PLACES): Promise<ImportUnderTest> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  await started.run("geographies", "--file", madeCsv(GEOGRAPHIES, ...places));
  return started;
}

/** Values of each row in the order of the columns. */
async function values({ rows }: ImportUnderTest, sql: string): Promise<unknown[]> {
  return (await rows(sql)).map((row) => Object.values(Object(row)));
}

const hour = (type: string, id: number, devices: number, minutes = 1, at = 10): string =>
  `EST,${type},${id},2026-03-01T${at}:00:00Z,100,5,${minutes},5,${devices}`;
const day = (type: string, id: number, devices: number, minutes: number): string =>
  `EST,${type},${id},2026-02-28T22:00:00Z,100,5,${minutes},5,${devices}`;
const minutesOf = (table: string): string =>
  `SELECT geo_id, stays_dwell_minutes FROM mobility.${table} WHERE batch_date = '2026-03-01' AND publishable ORDER BY geo_id, time_bucket`;

describe("activities of several levels", () => {
  async function published(...lines: readonly string[]): Promise<unknown[]> {
    const started = await warehouse();
    await started.run("activities_hourly", "--file", madeCsv(ACTIVITIES, ...lines));
    return started.rows("SELECT geo_id FROM mobility.activities_hourly WHERE batch_date = '2026-03-01' AND publishable ORDER BY geo_id");
  }

  test("withhold an area whose withheld cells have fewer than k devices together", async () => {
    expect(await published(hour("grid_1000m", CELL, 30), hour("grid_1000m", CELL + 1000, 3), hour("admin_level_4", 4, 33))).toEqual([
      { geo_id: CELL },
    ]);
  });

  test("publish an area whose withheld cells have k devices together", async () => {
    const found = await published(hour("grid_1000m", CELL, 2), hour("grid_1000m", CELL + 1000, 3), hour("admin_level_4", 4, 5));
    expect(found).toEqual([{ geo_id: 4 }]);
  });

  test("publish an area none of whose cells is withheld", async () => {
    const found = await published(hour("grid_1000m", CELL, 30), hour("admin_level_4", 4, 30), hour("admin_level_2", 2, 30));
    expect(found).toEqual([{ geo_id: 2 }, { geo_id: 4 }, { geo_id: CELL }]);
  });

  test("find the 1 km cell that contains 250 m cells", async () => {
    const [inside, beside] = [CELL + 7500000250, CELL + 1000];
    expect(await published(hour("grid_250m", inside, 3), hour("grid_250m", CELL, 30), hour("grid_1000m", CELL, 33))).toEqual([
      { geo_id: CELL },
    ]);
    expect(await published(hour("grid_250m", beside, 3), hour("grid_250m", CELL, 30), hour("grid_1000m", CELL, 30))).toEqual([
      { geo_id: CELL },
      { geo_id: CELL },
    ]);
  });

  test("sum the stays of publishable cells in coarser rows: 90 - 60 would reveal those of 3 devices", async () => {
    const started = await warehouse();
    const lines = [hour("grid_1000m", CELL, 30, 60), hour("grid_1000m", CELL + 1000, 3, 30), hour("grid_1000m", CELL + 2000, 3, 7)];
    await started.run("activities_hourly", "--file", madeCsv(ACTIVITIES, ...lines, hour("admin_level_2", 2, 36, 97)));
    expect(await values(started, minutesOf("activities_hourly"))).toEqual([
      [2, 60],
      [CELL, 60],
    ]);
  });

  test("are rejected without storing anything if containment is unknown", async () => {
    const started = await warehouse(PLACES.slice(4));
    const file = madeCsv(ACTIVITIES, hour("grid_1000m", CELL, 30), hour("grid_1000m", CELL + 1000, 3), hour("admin_level_4", 4, 33));
    await expect(started.run("activities_hourly", "--file", file)).rejects.toThrow(
      `1 id in geo_id not in mobility.geographies: ${CELL}\nThe file holds several levels, and publishing coarser rows requires knowing which geographies they contain: load geographies first`,
    );
    expect(await values(started, minutesOf("activities_hourly"))).toEqual([]);
    expect(await started.staged()).toEqual([]);
  });

  test("cause a warning if a finer row lies in no coarser one", async () => {
    const places = PLACES.map((place) => place.replace(`EST,grid_1000m,${CELL},A,4`, `EST,grid_1000m,${CELL},A,`));
    const { run } = await warehouse(places);
    const file = madeCsv(ACTIVITIES, hour("grid_1000m", CELL, 30), hour("grid_1000m", CELL + 1000, 3), hour("admin_level_4", 4, 33));
    expect((await run("activities_hourly", "--file", file)).at(-1)).toBe(
      `Warning: 1 id in geo_id without a parent_id in mobility.geographies: ${CELL}. No coarser row counts them`,
    );
  });

  test("of a single level are loaded without containment", async () => {
    const { run } = await warehouse(PLACES.slice(4));
    const lines = await run("activities_hourly", "--file", madeCsv(ACTIVITIES, hour("grid_1000m", CELL, 30)));
    expect(lines.at(-1)).toBe(`Warning: 1 id in geo_id not in mobility.geographies: ${CELL}`);
  });
});

describe("pairs of several levels", () => {
  const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";
  const pair = (from: string, to: string, trips: number, devices: number): string => `EST,2026-03-01,${from},${to},${trips},${devices}`;
  const PAIRS = [
    pair(`grid_1000m,${CELL}`, `grid_1000m,${CELL + 2000}`, 40, 7),
    pair(`grid_1000m,${CELL + 1000}`, `grid_1000m,${CELL + 2000}`, 30, 4),
    pair(`grid_1000m,${CELL + 2000}`, `grid_1000m,${CELL}`, 6, 3),
    pair("admin_level_4,4", "admin_level_4,5", 70, 9),
    pair("admin_level_4,5", "admin_level_4,4", 6, 9),
    pair(`grid_1000m,${CELL}`, "admin_level_2,2", 41, 7),
  ];
  const TRIPS = `SELECT origin_geo_type, destination_geo_type, trips, publishable FROM mobility.odm_daily WHERE batch_date = '2026-03-01' ORDER BY 1, 2, trips`;

  test("sum the trips of the publishable finest pairs: 70 - 40 would reveal those of 4 devices", async () => {
    const started = await warehouse();
    const lines = await started.run("odm_daily", "--file", madeCsv(ODM, ...PAIRS));
    expect(lines.at(-1)).toBe("Loaded mobility.odm_daily 2026-03-01 EST: 6 rows, 3 below the threshold, version 1");
    expect(await values(started, TRIPS)).toEqual([
      ["admin_level_4", "admin_level_4", 0, false],
      ["admin_level_4", "admin_level_4", 40, true],
      ["grid_1000m", "admin_level_2", 40, true],
      ["grid_1000m", "grid_1000m", 6, false],
      ["grid_1000m", "grid_1000m", 30, false],
      ["grid_1000m", "grid_1000m", 40, true],
    ]);
  });

  test("are recomputed after a reload of geographies: a moved cell takes its trips along", async () => {
    const started = await warehouse();
    const file = madeCsv(ODM, ...PAIRS.slice(0, 4));
    await started.run("odm_daily", "--file", file);
    expect((await started.run("odm_daily", "--file", file)).at(-1)).toBe("Nothing to do: already loaded as version 1");
    const moved = PLACES.map((place) => place.replace(`EST,grid_1000m,${CELL},A,4`, `EST,grid_1000m,${CELL},A,5`));
    await started.run("geographies", "--file", madeCsv(GEOGRAPHIES, ...moved));
    await started.run("odm_daily", "--file", file);
    expect((await values(started, TRIPS)).at(0)).toEqual(["admin_level_4", "admin_level_4", 0, false]);
  });

  test("get distances from centroids like any other pairs", async () => {
    const started = await warehouse();
    started.setCountries(({ EST, ...others }) => ({ ...others, EST: { ...EST, odm: { ...EST.odm, distance: "centroids" } } }));
    await started.run("odm_daily", "--file", madeCsv(ODM, ...PAIRS));
    expect(
      await started.rows("SELECT COUNT(*) AS n FROM mobility.odm_daily WHERE batch_date = '2026-03-01' AND general_distance_m = 0"),
    ).toEqual([{ n: 6 }]);
  });
});

describe("days and their hours", () => {
  const HOURS = [
    ...[hour("grid_1000m", CELL, 6, 100), hour("grid_1000m", CELL, 3, 40, 11), hour("grid_1000m", CELL + 1000, 4, 70)],
    ...[hour("admin_level_4", 4, 10, 170), hour("admin_level_4", 4, 3, 40, 11)],
  ];
  const DAYS = [day("grid_1000m", CELL, 8, 140), day("grid_1000m", CELL + 1000, 7, 70), day("admin_level_4", 4, 15, 210)];
  /** 140 - 100 = 40 would be the minutes of 3 devices, 70 - 0 those of 4. */
  const SETTLED = [
    [4, 100],
    [CELL, 100],
    [CELL + 1000, 0],
  ];
  let files: { readonly hours: string; readonly days: string };
  beforeEach(() => {
    files = { hours: madeCsv(ACTIVITIES, ...HOURS), days: madeCsv(ACTIVITIES, ...DAYS) };
  });

  test("days loaded after their hours have the minutes of the published hours", async () => {
    const started = await warehouse();
    await started.run("activities_hourly", "--file", files.hours);
    expect((await started.run("activities_daily", "--file", files.days)).at(-1)).toBe(
      "Loaded mobility.activities_daily 2026-03-01 EST: 3 rows, 0 below the threshold, version 1",
    );
    expect(await values(started, minutesOf("activities_daily"))).toEqual(SETTLED);
  });

  test("days loaded before their hours cause a warning and get a new version with the hours", async () => {
    const started = await warehouse();
    expect((await started.run("activities_daily", "--file", files.days)).at(-1)).toMatch(
      /^Warning: mobility.activities_hourly has no hours of 2026-03-01 EST\. .* Load hours before their days$/,
    );
    expect((await started.run("activities_hourly", "--file", files.hours)).slice(-2)).toEqual([
      "Loaded mobility.activities_hourly 2026-03-01 EST: 5 rows, 4 below the threshold, version 1",
      "mobility.activities_daily 2026-03-01 EST: stays_dwell_minutes recomputed from these hours, version 2",
    ]);
    expect(await values(started, minutesOf("activities_daily"))).toEqual(SETTLED);
    expect((await started.run("activities_daily", "--file", files.days)).at(-1)).toBe("Nothing to do: already loaded as version 2");
  });

  test("days and hours loaded concurrently agree", async () => {
    const started = await warehouse();
    await Promise.all([started.run("activities_daily", "--file", files.days), started.run("activities_hourly", "--file", files.hours)]);
    expect(await values(started, minutesOf("activities_daily"))).toEqual(SETTLED);
  });
});

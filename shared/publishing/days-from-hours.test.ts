import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";
import { recomputeDaysStatement } from "./days-from-hours.ts";
import { loadStatement } from "./load.ts";

const CELL = (n: number): number => 51520004124000 + n * 1000;

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const geographies = [...[1, 2, 3].map((n) => ["grid_1000m", CELL(n), 4]), ["admin_level_4", 4, 2]];
  const values = geographies.map(([type, id, parent]) => `("EST", "${type}", ${id}, "n", ${parent}, 25, 59)`);
  await loads.run(
    `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${values.join(", ")}`,
  );
});

beforeEach(async () => {
  for (const table of ["activities_hourly", "activities_daily"])
    await loads.run(`DELETE FROM mobility.${table} WHERE batch_date > "2026-01-01"`);
  await loads.run("DELETE FROM mobility.batches WHERE TRUE");
});

afterAll(() => loads.close());

const cell = (n: number): LoadedRow => ({ geo_type: "grid_1000m", geo_id: CELL(n) });
const AREA: LoadedRow = { geo_type: "admin_level_4", geo_id: 4 };
const row = (geography: LoadedRow, time: string, devices: number, stays_dwell_minutes: number): LoadedRow => ({
  ...{ country_code: "EST", batch_date: "2026-03-01", time_bucket: `2026-${time}:00:00Z`, devices, stays_dwell_minutes, stays_count: 9 },
  ...geography,
});
const hour = (geography: LoadedRow, at: number, devices: number, minutes: number): LoadedRow =>
  row(geography, `03-01T${at}`, devices, minutes);
const day = (geography: LoadedRow, devices: number, minutes: number): LoadedRow => row(geography, "02-28T22", devices, minutes);

/** Cell 1 has one withheld hour, cell 2 has only a withheld hour, cell 3 has no hours. */
const HOURS = [
  hour(cell(1), 10, 6, 100),
  hour(cell(1), 11, 3, 40),
  hour(cell(1), 12, 5, 50),
  hour(cell(2), 11, 4, 70),
  hour(AREA, 10, 6, 100),
];
const DAYS = [day(cell(1), 8, 190), day(cell(2), 6, 70), day(cell(3), 5, 30), day(AREA, 17, 290)];
/** 100 + 50 of cell 1. The file's numbers would reveal 190 - 150 = 40 minutes of 3 devices, and 70 minutes of 4. */
const RECOMPUTED = [
  [4, 150],
  [CELL(1), 150],
  [CELL(2), 0],
  [CELL(3), 0],
];
const FROM_FILE = [
  [4, 290],
  [CELL(1), 190],
  [CELL(2), 70],
  [CELL(3), 30],
];

async function values(sql: string): Promise<unknown[]> {
  return (await loads.run(sql)).map((found) => Object.values(Object(found)));
}

function minutes(): Promise<unknown[]> {
  return values(`SELECT geo_id, stays_dwell_minutes FROM mobility.activities_daily WHERE batch_date = "2026-03-01" ORDER BY geo_id`);
}

function versions(): Promise<unknown[]> {
  return values("SELECT table_name, version, row_count, suppressed_count FROM mobility.batches ORDER BY 1, 2");
}

describe("the minutes of a day are the sum of its published hours", () => {
  it("when the hours are loaded first", async () => {
    await loads.load("activities_hourly", HOURS);
    await loads.load("activities_daily", DAYS);
    expect(await minutes()).toEqual(RECOMPUTED);
  });

  it("when the hours are loaded later, as a new version of the day from the same file", async () => {
    await loads.load("activities_daily", DAYS);
    expect(await minutes()).toEqual(FROM_FILE);
    await loads.load("activities_hourly", HOURS);
    expect(await minutes()).toEqual(RECOMPUTED);
    expect(await versions()).toEqual([
      ["activities_daily", 1, 4, 0],
      ["activities_daily", 2, 4, 0],
      ["activities_hourly", 1, 5, 2],
    ]);
    expect(await values("SELECT COUNT(DISTINCT checksum) FROM mobility.batches WHERE table_name = 'activities_daily'")).toEqual([[1]]);
  });

  it("when the hours are corrected", async () => {
    await loads.load("activities_hourly", HOURS);
    await loads.load("activities_daily", DAYS);
    await loads.load("activities_hourly", [hour(cell(1), 10, 4, 100), hour(cell(2), 11, 5, 70), hour(cell(3), 9, 5, 20)]);
    expect(await minutes()).toEqual([
      [4, 90],
      [CELL(1), 0],
      [CELL(2), 70],
      [CELL(3), 20],
    ]);
  });

  it("when the file of days has only one level", async () => {
    await loads.load("activities_hourly", HOURS);
    const load = await loads.stage("activities_daily", DAYS.slice(0, 3));
    await loads.run(loadStatement({ ...load, levels: [] }));
    expect(await minutes()).toEqual(RECOMPUTED.slice(1));
  });

  it("after a recompute, when two concurrent loads did not see each other", async () => {
    await loads.load("activities_hourly", HOURS);
    const load = await loads.stage("activities_daily", DAYS);
    const columns = load.columns.map(({ name }) => name).join(", ");
    await loads.run(`INSERT INTO mobility.activities_daily (${columns}, publishable) SELECT ${columns}, TRUE FROM ${load.staging}`);
    expect(await minutes()).toEqual(FROM_FILE);
    const rule = load.publication?.daysFromHours;
    if (!rule) throw new Error("Days of activities are not computed from hours");
    await loads.run(recomputeDaysStatement(load, rule));
    expect(await minutes()).toEqual(RECOMPUTED);
  });
});

describe("loading hours does not change", () => {
  const days = () => values(`SELECT * FROM mobility.activities_daily WHERE batch_date = "2026-03-01" ORDER BY geo_id`);

  it("another day", async () => {
    await loads.load("activities_daily", DAYS);
    const before = await days();
    await loads.load(
      "activities_hourly",
      HOURS.map((hour) => ({ ...hour, batch_date: "2026-03-02" })),
    );
    expect(await days()).toEqual(before);
    expect(await versions()).toHaveLength(2);
  });

  it("anything of a day but its minutes: people and stays do not add up over hours", async () => {
    await loads.load("activities_daily", DAYS);
    const before = await days();
    await loads.load("activities_hourly", HOURS);
    const minutesAt = 6;
    const others = (rows: unknown[]) => rows.map((row) => Object.values(Object(row)).toSpliced(minutesAt, 1));
    expect(others(await days())).toEqual(others(before));
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";

/** South-west corners: `KM(n)` are adjacent 1 km cells, `QUARTER(n, i)` is the i-th 250 m cell on the southern edge of `KM(n)`. */
const KM = (n: number): number => 51520004124000 + n * 1000;
const QUARTER = (n: number, i: number): number => KM(n) + i * 250 * 10_000_000;
const PLACES: readonly (readonly [type: string, id: number, parent: number | null])[] = [
  // Cells 1 to 3 lie in area 41, cell 4 in area 42, both in county 2.
  // Quarters 5.0 and 5.1 lie in area 43, 5.2 and 5.3 in area 44, both in county 3.
  ...[1, 2, 3, 4].flatMap((n) => [0, 1, 2, 3].map((i) => ["grid_250m", QUARTER(n, i), n < 4 ? 41 : 42] as const)),
  ...[1, 2, 3, 4].map((n) => ["grid_1000m", KM(n), n < 4 ? 41 : 42] as const),
  ...[0, 1, 2, 3].map((i) => ["grid_250m", QUARTER(5, i), i < 2 ? 43 : 44] as const),
  ["grid_1000m", KM(5), 43],
  ["admin_level_4", 41, 2],
  ["admin_level_4", 42, 2],
  ["admin_level_4", 43, 3],
  ["admin_level_4", 44, 3],
  ["admin_level_2", 2, null],
  ["admin_level_2", 3, null],
];

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const values = PLACES.map(([type, id, parent]) => `("EST", "${type}", ${id}, "n", ${parent ?? "NULL"}, 25, 59)`);
  await loads.run(
    `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${values.join(", ")}`,
  );
});

afterAll(() => loads.close());

const hour = (geo_type: string, geo_id: number, devices: number, rest: LoadedRow = {}): LoadedRow => ({
  ...{ country_code: "EST", batch_date: "2026-03-01", time_bucket: "2026-03-01T10:00:00Z", geo_type, geo_id, devices },
  ...rest,
});
const quarter = (n: number, i: number, devices: number, rest?: LoadedRow): LoadedRow => hour("grid_250m", QUARTER(n, i), devices, rest);
const km = (n: number, devices: number, rest?: LoadedRow): LoadedRow => hour("grid_1000m", KM(n), devices, rest);
const area = (id: number, devices: number, rest?: LoadedRow): LoadedRow => hour("admin_level_4", id, devices, rest);
const county = (id: number, devices: number, rest?: LoadedRow): LoadedRow => hour("admin_level_2", id, devices, rest);

/** Loads the rows and returns the ids of the published rows of the given types. */
async function published(rows: readonly LoadedRow[], ...types: readonly string[]): Promise<unknown[]> {
  await loads.load("activities_hourly", rows);
  const found = await loads.run({
    sql: `SELECT geo_id FROM mobility.activities_hourly
      WHERE batch_date = "2026-03-01" AND publishable AND geo_type IN (${types.map((type) => `"${type}"`).join(", ")}) ORDER BY geo_id`,
    parameters: {},
  });
  return found.map((row) => Object(row).geo_id);
}

describe("a row is withheld when its published parts would leave fewer than k devices of it", () => {
  it("at every level around the withheld part", async () => {
    // 33 - 30 = 3 in the km cell, and so in the area and the county.
    const rows = [quarter(1, 0, 30), quarter(1, 1, 3), km(1, 33), area(41, 33), county(2, 33)];
    expect(await published(rows, "grid_1000m", "admin_level_4", "admin_level_2")).toEqual([]);
  });

  it("also through a published row in between", async () => {
    // Quarters of 2, 3 and 3 are withheld, 8 together. But km cell 1 publishes the first two as 5: 38 - 5 - 30 = 3 remain of the area.
    const rows = [quarter(1, 0, 2), quarter(1, 1, 3), km(1, 5), quarter(2, 0, 3), quarter(2, 1, 30), km(2, 33), area(41, 38)];
    expect(await published(rows, "grid_1000m", "admin_level_4")).toEqual([KM(1)]);
  });

  it("but published when the rest has k devices, even if each part is below k", async () => {
    const rows = [quarter(1, 0, 2), quarter(1, 1, 30), km(1, 32), quarter(2, 0, 3), quarter(2, 1, 30), km(2, 33), area(41, 65)];
    expect(await published(rows, "grid_1000m", "admin_level_4")).toEqual([41]);
  });

  it("counting a withheld row by its own devices if its parts share some", async () => {
    // The quarters of cell 1 add up to 4 but are 3 people. With the 1 of cell 2 that makes 4, not 5.
    const rows = [quarter(1, 0, 2), quarter(1, 1, 2), km(1, 3), quarter(2, 0, 1), quarter(2, 1, 30), km(2, 31), area(41, 34)];
    expect(await published(rows, "grid_1000m", "admin_level_4")).toEqual([]);
  });

  it("when the file leaves out the small part", async () => {
    expect(await published([quarter(1, 0, 30), km(1, 33), area(41, 33)], "grid_1000m", "admin_level_4")).toEqual([]);
    expect(await published([quarter(1, 0, 30), km(1, 35), area(41, 35)], "grid_1000m", "admin_level_4")).toEqual([41, KM(1)]);
  });

  it("when a level in between is missing", async () => {
    expect(await published([quarter(1, 0, 30), quarter(1, 1, 3), area(41, 33), county(2, 33)], "admin_level_4", "admin_level_2")).toEqual(
      [],
    );
  });

  it("hour by hour", async () => {
    const later = { time_bucket: "2026-03-01T11:00:00Z" };
    const rows = [km(1, 30), km(2, 3), area(41, 33), km(1, 30, later), area(41, 30, later)];
    expect(await published(rows, "admin_level_4")).toEqual([41]);
  });
});

describe("a cell that lies in two areas", () => {
  it("is withheld when its hidden devices in one of them are below k", async () => {
    // It hides 2 and 3 in area 43, which is published as 5, and 3 in area 44: 38 - 5 - 30 = 3.
    const rows = [quarter(5, 0, 2), quarter(5, 1, 3), quarter(5, 2, 30), quarter(5, 3, 3), km(5, 38), area(43, 5), area(44, 33)];
    expect(await published(rows, "grid_1000m", "admin_level_4")).toEqual([43]);
  });

  it("is published, like the areas, when it hides k devices in each", async () => {
    const rows = [
      quarter(5, 0, 2),
      quarter(5, 1, 3),
      quarter(5, 2, 4),
      quarter(5, 3, 4),
      km(5, 13),
      area(43, 5),
      area(44, 8),
      county(3, 13),
    ];
    expect(await published(rows, "grid_1000m", "admin_level_4", "admin_level_2")).toEqual([3, 43, 44, KM(5)]);
  });
});

describe("stays of a coarser row", () => {
  const stays = (count: number, minutes: number, devices: number): LoadedRow => ({
    ...{ stays_count: count, stays_dwell_minutes: minutes, stays_devices: devices },
  });
  const NOTHING = [0, 0, 0];

  /** Type, id, stays, dwell minutes and stay devices of the rows coarser than 250 m, ordered by type and id. */
  async function staysOf(rows: readonly LoadedRow[]): Promise<unknown[]> {
    await loads.load("activities_hourly", rows);
    const found = await loads.run(`SELECT geo_id, stays_count, stays_dwell_minutes, stays_devices FROM mobility.activities_hourly
      WHERE batch_date = "2026-03-01" AND geo_type <> "grid_250m" ORDER BY geo_type, geo_id, time_bucket`);
    return found.map((row) => Object.values(Object(row)));
  }

  it("are the sums of its publishable finest parts, not the values of the file", async () => {
    // The file's numbers would reveal 16 - 10 - 2 = 4 stays and 1000 - 600 - 80 minutes of the withheld quarter.
    const rows = [
      ...[quarter(1, 0, 30, stays(10, 600, 9)), quarter(1, 1, 4, stays(4, 320, 3)), quarter(2, 0, 5, stays(2, 80, 1))],
      ...[km(1, 34, stays(14, 920, 12)), km(2, 5, stays(2, 80, 1)), area(41, 39, stays(16, 1000, 13)), county(2, 39, stays(16, 1000, 13))],
    ];
    expect(await staysOf(rows)).toEqual([
      [2, 12, 680, 10],
      [41, 12, 680, 10],
      [KM(1), 10, 600, 9],
      [KM(2), 2, 80, 1],
    ]);
  });

  it("are 0 when it has parts and none is publishable", async () => {
    const rows = [
      quarter(1, 0, 4, stays(4, 320, 3)),
      quarter(1, 1, 3, stays(1, 10, 1)),
      km(1, 7, stays(5, 330, 4)),
      area(41, 7, stays(5, 330, 4)),
    ];
    expect(await staysOf(rows)).toEqual([
      [41, ...NOTHING],
      [KM(1), ...NOTHING],
    ]);
  });

  it("are its own when the batch has no parts of it, and count for the rows around it if it is publishable", async () => {
    const rows = [
      ...[quarter(1, 0, 30, stays(10, 600, 9)), km(1, 30, stays(10, 600, 9)), km(2, 6, stays(3, 90, 2)), km(3, 4, stays(2, 50, 2))],
      ...[area(41, 40, stays(15, 740, 13)), area(42, 8, stays(5, 70, 4))],
    ];
    expect(await staysOf(rows)).toEqual([
      [41, 13, 690, 11],
      [42, 5, 70, 4],
      [KM(1), 10, 600, 9],
      [KM(2), 3, 90, 2],
      [KM(3), 2, 50, 2],
    ]);
  });

  it("are 0 in an hour without parts when other hours of the day have some", async () => {
    const later = { time_bucket: "2026-03-01T11:00:00Z" };
    const rows = [quarter(1, 0, 30, stays(10, 600, 9)), km(1, 30, stays(10, 600, 9)), km(1, 8, { ...stays(5, 50, 3), ...later })];
    expect(await staysOf(rows)).toEqual([
      [KM(1), 10, 600, 9],
      [KM(1), ...NOTHING],
    ]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";

/** 1 km cells 1 and 2 lie in area 41, cell 3 in area 42, both in county 4. Cell 5 lies in area 51 of county 5. */
const CELL = (n: number): number => 51520004124000 + n * 1000;
const QUARTER = (n: number): number => CELL(n) + 250;
const AREA: Readonly<Record<number, number>> = { 1: 41, 2: 41, 3: 42, 5: 51 };

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const places = [
    ...Object.entries(AREA).flatMap(([n, area]) => [
      ["grid_1000m", CELL(Number(n)), area],
      ["grid_250m", QUARTER(Number(n)), area],
    ]),
    ...Object.values(AREA).map((area) => ["admin_level_4", area, Math.floor(area / 10)]),
  ];
  const values = [...new Set(places.map(([type, id, parent]) => `("EST", "${type}", ${id}, "n", ${parent}, 25, 59)`))];
  await loads.run(
    `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${values.join(", ")}`,
  );
});

beforeEach(async () => {
  await loads.run('DELETE FROM mobility.odm_daily WHERE batch_date > "2026-01-01"');
});

afterAll(() => loads.close());

type End = readonly [type: string, id: number];
const cell = (n: number): End => ["grid_1000m", CELL(n)];
const quarter = (n: number): End => ["grid_250m", QUARTER(n)];
const area = (id: number): End => ["admin_level_4", id];
const county = (id: number): End => ["admin_level_2", id];

function pair(from: End, to: End, trips: number, devices: number, rest: LoadedRow = {}): LoadedRow {
  const ends = { origin_geo_type: from[0], origin_geo_id: from[1], destination_geo_type: to[0], destination_geo_id: to[1] };
  return { country_code: "EST", batch_date: "2026-03-01", ...ends, trips, devices, ...rest };
}

/** Returns the trips of each pair in the order of the rows, undefined for a withheld pair. */
async function tripsOf(rows: readonly LoadedRow[]): Promise<(number | undefined)[]> {
  await loads.load("odm_daily", rows);
  const key = ["batch_date", "origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id"];
  const found = await loads.run(`SELECT FORMAT_DATE('%F', batch_date), ${key.slice(1).join(", ")}, trips, publishable
    FROM mobility.odm_daily WHERE batch_date > "2026-01-01"`);
  const shown = new Map(
    found.map((row) => {
      const values = Object.values(Object(row));
      return [values.slice(0, key.length).join(), values.at(-1) === true ? Number(values.at(-2)) : undefined];
    }),
  );
  expect(shown.size).toBe(rows.length);
  return rows.map((row) => shown.get(key.map((name) => row[name]).join()));
}

/** 48 trips of 14 devices from area 41 to area 42 and 51, of which 38 of 6 devices are withheld. */
const FINEST = [
  pair(cell(1), cell(3), 40, 7),
  pair(cell(2), cell(3), 30, 4),
  pair(cell(1), cell(5), 10, 5),
  pair(cell(2), cell(5), 8, 2),
  pair(cell(3), cell(5), 6, 3),
];
const FINEST_TRIPS = [40, undefined, 10, undefined, undefined];

describe("a coarser pair", () => {
  it("has the trips of the publishable finest pairs within it, not those of the file", async () => {
    // The file's numbers would reveal 70 - 40 = 30 trips of the withheld pair, and 24 - 10 = 14 of two.
    const coarser = [
      pair(area(41), area(42), 70, 9),
      pair(area(41), area(51), 18, 6),
      pair(county(4), county(4), 70, 9),
      pair(county(4), county(5), 24, 8),
    ];
    expect(await tripsOf([...FINEST, ...coarser])).toEqual([...FINEST_TRIPS, 40, 10, 40, 10]);
  });

  it("of two types also sums the finest pairs within it", async () => {
    const mixed = [
      pair(area(41), county(4), 70, 9),
      pair(county(4), area(51), 24, 8),
      pair(cell(1), area(51), 10, 5),
      pair(area(41), cell(3), 70, 9),
    ];
    expect(await tripsOf([...FINEST, ...mixed])).toEqual([...FINEST_TRIPS, 40, 10, 10, 40]);
  });

  it("needs k devices itself", async () => {
    expect(await tripsOf([...FINEST, pair(area(41), area(42), 70, 4)])).toEqual([...FINEST_TRIPS, undefined]);
  });

  it("is withheld when it contains no publishable finest pair", async () => {
    const coarser = [pair(area(42), area(51), 6, 9), pair(cell(2), area(42), 30, 9), pair(area(51), area(42), 50, 9)];
    expect(await tripsOf([...FINEST, ...coarser])).toEqual([...FINEST_TRIPS, undefined, undefined, undefined]);
  });

  it("is withheld when one end is finer than the finest pairs, which are then not parts of it", async () => {
    expect(await tripsOf([...FINEST, pair(quarter(1), area(42), 50, 9)])).toEqual([...FINEST_TRIPS, undefined]);
  });

  it("finds its parts among pairs of 250 m cells, whose ids determine their 1 km cells", async () => {
    const rows = [
      ...[pair(quarter(1), quarter(3), 20, 6), pair(quarter(2), quarter(3), 9, 2)],
      ...[pair(cell(1), cell(3), 21, 6), pair(cell(2), cell(3), 12, 5), pair(area(41), county(4), 33, 8)],
    ];
    expect(await tripsOf(rows)).toEqual([20, undefined, 20, undefined, 20]);
  });
});

describe("only the devices decide pairs", () => {
  it("on a day without finest pairs", async () => {
    const other = { batch_date: "2026-03-02" };
    const rows = [...FINEST, pair(area(41), area(42), 70, 9, other), pair(area(41), area(51), 18, 4, other)];
    expect(await tripsOf(rows)).toEqual([...FINEST_TRIPS, 70, undefined]);
  });

  it("when one end is a road, which does not nest", async () => {
    const rows = [
      pair(["osm_links", 7], area(42), 25, 5),
      pair(cell(1), ["osm_links", 7], 26, 4),
      pair(["osm_links", 7], ["osm_links", 8], 27, 6),
    ];
    expect(await tripsOf([...FINEST, ...rows])).toEqual([...FINEST_TRIPS, 25, undefined, 27]);
  });
});

it("a coarser pair keeps its own speed", async () => {
  const measured = (rest: LoadedRow) => ({ average_speed_kmh: 31.5, ...rest });
  const rows = [pair(cell(1), cell(3), 40, 7, measured({ average_speed_kmh: 12.5 })), pair(area(41), area(42), 70, 9, measured({}))];
  await loads.load("odm_daily", rows);
  const found = await loads.run(`SELECT trips, average_speed_kmh FROM mobility.odm_daily
    WHERE batch_date = "2026-03-01" ORDER BY average_speed_kmh`);
  expect(found.map((row) => Object.values(Object(row)))).toEqual([
    [40, 12.5],
    [40, 31.5],
  ]);
});

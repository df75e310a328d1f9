import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTables } from "../../infra/local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery } from "../google/bigquery.ts";
import { FACT_TABLES } from "../products/catalogue.ts";
import { loadParameters } from "./batches.ts";
import { publishedPairs } from "./publish-pairs.ts";
import type { LoadedCountry } from "./staged-load.ts";

const EST: LoadedCountry = {
  code: "EST",
  k: 5,
  step: 20,
  peopleOfDevice: 4,
  finestType: "grid_1000m",
  isProtected: false,
  distance: "none",
};

/** 1 km cells 1 and 2 lie in area 41, cell 3 in area 42, both in county 4. Cell 5 lies in area 51 of county 5, cell 6 in no area. */
const CELL = (n: number): number => 51520004124000 + n * 1000;
const QUARTER = (n: number): number => CELL(n) + 250;
const AREA: Readonly<Record<number, number | null>> = { 1: 41, 2: 41, 3: 42, 5: 51, 6: null };

type End = readonly [type: string, id: number];
const cell = (n: number): End => ["grid_1000m", CELL(n)];
const quarter = (n: number): End => ["grid_250m", QUARTER(n)];
const area = (id: number): End => ["admin_level_4", id];
const county = (id: number): End => ["admin_level_2", id];
const link = (id: number): End => ["osm_links", id];

/** Trips and devices from one end to another. Without a speed, it is NULL. */
interface Pair {
  readonly from: End;
  readonly to: End;
  readonly trips: number;
  readonly devices: number;
  readonly speed?: number;
  readonly date?: string;
  readonly country?: string;
}
const pair = (from: End, to: End, trips: number, devices: number, rest: Partial<Pair> = {}): Pair => ({
  from,
  to,
  trips,
  devices,
  ...rest,
});
const name = ({ from, to }: Pick<Pair, "from" | "to">): string => `${from.join(" ")} -> ${to.join(" ")}`;

let warehouse: WarehouseUnderTest;

async function run(sql: string, parameters = {}): Promise<Record<string, unknown>[]> {
  const [rows] = await warehouse.client.query({ ...clientQuery({ sql, parameters }), wrapIntegers: false });
  return rows;
}

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const county = (id: number | null): number | null => (id === null ? null : Math.floor(id / 10));
  const nesting = Object.entries(AREA).flatMap(([n, area]) => [
    ["grid_250m", QUARTER(Number(n)), 0, CELL(Number(n)), area, county(area)],
    ["grid_1000m", CELL(Number(n)), 1, CELL(Number(n)), area, county(area)],
    ...(area === null
      ? []
      : [
          ["admin_level_4", area, 2, null, area, county(area)],
          ["admin_level_2", county(area), 3, null, null, county(area)],
        ]),
  ]);
  const rows = new Set(nesting.map((row) => `("EST", ${row.map((value) => JSON.stringify(value)).join(", ")}, 1)`));
  await run(`INSERT INTO intake.nesting (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts) VALUES ${[...rows].join(", ")}`);
  await run(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat)
    VALUES ("EST", "admin_level_4", 41, "a", 4, 25, 59), ("EST", "admin_level_4", 42, "b", 4, 25, 60), ("EST", "grid_1000m", ${CELL(1)}, "c", 41, 25, 59)`);
});

afterAll(() => warehouse.close());

/** Returns the published pairs of these, by their ends. */
async function publish(
  pairs: readonly Pair[],
  countries: readonly LoadedCountry[] = [EST],
): Promise<Record<string, Record<string, unknown>>> {
  await run('DELETE FROM intake.odm_daily WHERE loaded_on > "2026-01-01"');
  const rows = pairs.map(
    ({ from, to, trips, devices, speed, date = "2026-03-01", country = "EST" }) =>
      `("${country}", "${date}", "${from[0]}", ${from[1]}, "${to[0]}", ${to[1]}, ${trips}, ${devices}, ${speed ?? "NULL"}, "2026-03-02")`,
  );
  if (rows.length > 0)
    await run(`INSERT INTO intake.odm_daily (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id,
      trips, devices, average_speed_kmh, loaded_on) VALUES ${rows.join(", ")}`);
  const table = FACT_TABLES.find(({ name }) => name === "odm_daily");
  if (!table) throw new Error("there is no table odm_daily");
  const sql = publishedPairs({
    table,
    countries,
    batches: (alias) => `${alias}.loaded_on = "2026-03-02" AND ${alias}.batch_date = "2026-03-01"`,
  });
  const used = new Set(sql.match(/(?<=@)\w+/g));
  const parameters = Object.entries(loadParameters({ table: "odm_daily", countries, days: undefined, checksum: "" }));
  const found = await run(sql, Object.fromEntries(parameters.filter(([parameter]) => used.has(parameter))));
  return Object.fromEntries(
    found.map(({ origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, ...values }) => [
      `${origin_geo_type} ${origin_geo_id} -> ${destination_geo_type} ${destination_geo_id}`,
      values,
    ]),
  );
}

/** Returns the published trips of the asked pairs, undefined for one that is not published. */
async function tripsOf(pairs: readonly Pair[], asked: readonly (readonly [End, End])[], countries?: readonly LoadedCountry[]) {
  const published = await publish(pairs, countries);
  return asked.map(([from, to]) => published[name({ from, to })]?.trips);
}

/** Of fewer than 5 devices, three are withheld. */
const FINEST = [
  pair(cell(1), cell(3), 40, 7),
  pair(cell(2), cell(3), 30, 4),
  pair(cell(1), cell(5), 10, 5),
  pair(cell(2), cell(5), 8, 2),
  pair(cell(3), cell(5), 6, 3),
  pair(cell(2), cell(2), 49, 11),
];

describe("a finest pair", () => {
  it("is told from k devices, its trips to the nearest step and never to 0", async () => {
    expect(await publish(FINEST)).toEqual({
      [name(pair(cell(1), cell(3), 0, 0))]: expect.objectContaining({ trips: 40 }),
      [name(pair(cell(1), cell(5), 0, 0))]: expect.objectContaining({ trips: 20 }),
      [name(pair(cell(2), cell(2), 0, 0))]: expect.objectContaining({ trips: 40 }),
    });
  });

  it("without trips has 0, and of half a step the next", async () => {
    const rows = [pair(cell(1), cell(3), 0, 7), pair(cell(1), cell(5), 50, 7)];
    expect(
      await tripsOf(rows, [
        [cell(1), cell(3)],
        [cell(1), cell(5)],
      ]),
    ).toEqual([0, 60]);
  });

  it("has its exact trips where the step is 1", async () => {
    const exact = [{ ...EST, step: 1 }];
    expect(
      await tripsOf(
        FINEST,
        [
          [cell(1), cell(5)],
          [cell(2), cell(2)],
          [cell(2), cell(5)],
        ],
        exact,
      ),
    ).toEqual([10, 49, undefined]);
  });

  it("may have a road at either end or at both, which is a finest end of its own", async () => {
    const rows = [pair(link(7), cell(1), 25, 5), pair(cell(1), link(7), 26, 4), pair(link(7), link(8), 27, 6)];
    expect(
      await tripsOf(rows, [
        [link(7), cell(1)],
        [cell(1), link(7)],
        [link(7), link(8)],
      ]),
    ).toEqual([20, undefined, 20]);
  });

  it("is told by the k of its country", async () => {
    const countries = [{ ...EST, code: "USA", k: 8, step: 40 }, EST];
    const rows = [
      pair(cell(1), cell(3), 40, 7),
      pair(cell(1), cell(5), 40, 7, { country: "USA" }),
      pair(cell(5), cell(1), 90, 8, { country: "USA" }),
    ];
    expect(
      await tripsOf(
        rows,
        [
          [cell(1), cell(3)],
          [cell(1), cell(5)],
          [cell(5), cell(1)],
        ],
        countries,
      ),
    ).toEqual([40, undefined, 80]);
  });
});

describe("a coarser pair", () => {
  const COARSER = [
    ...[pair(area(41), area(42), 70, 9), pair(county(4), county(4), 119, 2), pair(cell(1), area(51), 10, 5)],
    ...[pair(county(5), county(5), 900, 90), pair(area(41), county(5), 18, 1)],
  ];

  it("has the published trips of the told finest pairs within it, whatever the file has", async () => {
    const asked: (readonly [End, End])[] = [
      ...([
        [area(41), area(42)],
        [area(41), area(51)],
        [area(41), area(41)],
        [area(42), area(51)],
      ] as const),
      ...([
        [county(4), county(4)],
        [county(4), county(5)],
        [county(5), county(5)],
        [cell(1), area(51)],
        [cell(2), area(42)],
        [area(41), county(5)],
      ] as const),
    ];
    expect(await tripsOf([...FINEST, ...COARSER], asked)).toEqual([40, 20, 40, undefined, 80, 20, undefined, 20, undefined, 20]);
  });

  it("is of the types of pairs that the batch has", async () => {
    const types = Object.keys(await publish([...FINEST, pair(area(41), area(42), 70, 1)])).map((pair) => pair.replaceAll(/ \d+/g, ""));
    expect([...new Set(types)].sort()).toEqual(["admin_level_4 -> admin_level_4", "grid_1000m -> grid_1000m"]);
  });

  it("is not published on a day without finest pairs", async () => {
    expect(await publish([pair(area(41), area(42), 70, 9), ...FINEST.map((row) => ({ ...row, date: "2026-03-03" }))])).toEqual({});
  });

  it("is not published of a type finer than the finest that is offered, nor does it count", async () => {
    const rows = [
      pair(quarter(1), quarter(3), 20, 6),
      pair(quarter(1), area(42), 50, 9),
      pair(quarter(1), link(7), 50, 9),
      pair(area(41), area(42), 1, 1),
    ];
    expect(await publish(rows)).toEqual({});
  });

  it("of 250 m cells is the sum over them in 1 km cells, areas and counties", async () => {
    const rows = [
      ...[pair(quarter(1), quarter(3), 20, 6), pair(quarter(2), quarter(3), 61, 9), pair(quarter(2), quarter(5), 60, 4)],
      ...[pair(cell(1), cell(3), 900, 1), pair(area(41), county(4), 900, 8)],
    ];
    const finest = [{ ...EST, finestType: "grid_250m" } as const];
    expect(
      await tripsOf(
        rows,
        [
          [cell(1), cell(3)],
          [cell(2), cell(3)],
          [area(41), county(4)],
          [cell(2), cell(5)],
        ],
        finest,
      ),
    ).toEqual([20, 60, 80, undefined]);
  });

  it("with a road at one end is the sum of told pairs of that road and finest cells, not of roads in cells", async () => {
    const rows = [
      ...[pair(link(7), cell(1), 25, 5), pair(link(7), cell(2), 26, 4), pair(link(8), cell(1), 61, 6), pair(cell(3), link(7), 80, 9)],
      ...[pair(link(7), area(41), 51, 9), pair(county(4), link(7), 80, 9), pair(link(7), link(8), 500, 9), ...FINEST],
    ];
    const asked = [
      [link(7), area(41)],
      [link(8), area(41)],
      [county(4), link(7)],
      [link(7), area(42)],
    ] as const;
    expect(await tripsOf(rows, asked)).toEqual([20, 60, 80, undefined]);
  });

  it("leaves out parts that lie in no coarser geography", async () => {
    const rows = [
      pair(cell(6), cell(6), 60, 9),
      pair(cell(6), cell(1), 60, 9),
      pair(area(41), area(41), 1, 1),
      pair(cell(1), area(41), 1, 1),
    ];
    const published = [
      [cell(6), cell(6)],
      [cell(6), cell(1)],
      [cell(6), area(41)],
    ] as const;
    expect(Object.keys(await publish(rows)).sort()).toEqual(published.map(([from, to]) => name({ from, to })).sort());
  });
});

describe("a speed", () => {
  const speeds = [
    pair(cell(1), cell(3), 40, 7, { speed: 12.34567 }),
    pair(cell(2), cell(3), 79, 8, { speed: 30.1 }),
    pair(cell(1), cell(5), 40, 4, { speed: 99 }),
    pair(cell(2), cell(5), 40, 9),
    pair(area(41), area(42), 119, 15, { speed: 77 }),
  ];

  it("of a finest pair is whole, of a coarser pair the mean of its told parts by their published trips", async () => {
    const published = await publish(speeds);
    const speed = (from: End, to: End) => published[name({ from, to })]?.average_speed_kmh;
    expect(speed(cell(1), cell(3))).toBe(12);
    expect(speed(area(41), area(42))).toBe((40 * 12 + 80 * 30) / 120);
  });

  it("is NULL of a pair of a road link where areas are offered, too, and of what such pairs add up to", async () => {
    const ofLinks = [
      pair(link(7), cell(3), 40, 7, { speed: 30 }),
      pair(cell(1), link(8), 40, 7, { speed: 30 }),
      pair(link(7), link(8), 40, 7, { speed: 30.4 }),
      pair(link(7), area(42), 40, 7, { speed: 30 }),
    ];
    const of = async (country: Partial<LoadedCountry>) =>
      Object.values(await publish(ofLinks, [{ ...EST, ...country }])).map(({ average_speed_kmh }) => average_speed_kmh);
    expect(await of({})).toEqual([null, null, null, null]);
    expect(await of({ isProtected: true })).toEqual(expect.arrayContaining([30, 30, 30.4, 30]));
    const alone = await publish(ofLinks.slice(2, 3), [{ ...EST, finestType: undefined }]);
    expect(Object.values(alone)).toMatchObject([{ trips: 40, average_speed_kmh: 30 }]);
  });

  it("is NULL if no told part has one", async () => {
    const published = await publish(speeds);
    expect(published[name({ from: area(41), to: area(51) })]).toMatchObject({ trips: 40, average_speed_kmh: null });
  });
});

describe("a distance", () => {
  const rows = [pair(cell(1), cell(1), 40, 7), pair(cell(1), cell(3), 40, 7), pair(area(41), area(42), 40, 7)];

  it("is that of the two centroids, in pairs of any types, and NULL without one of them", async () => {
    const published = await publish(rows, [{ ...EST, distance: "centroids" }]);
    expect(published[name({ from: cell(1), to: cell(1) })]?.general_distance_m).toBe(0);
    expect(published[name({ from: cell(1), to: cell(3) })]?.general_distance_m).toBeNull();
    expect(published[name({ from: area(41), to: area(42) })]?.general_distance_m).toBeCloseTo(111195, -1);
  });

  it("is NULL in a country without the rule", async () => {
    const published = await publish(rows, [EST, { ...EST, code: "USA", distance: "centroids" }]);
    expect(new Set(Object.values(published).map(({ general_distance_m }) => general_distance_m))).toEqual(new Set([null]));
    expect(new Set(Object.values(await publish(rows)).map(({ general_distance_m }) => general_distance_m))).toEqual(new Set([null]));
  });
});

it("protected pairs of all types are told from k devices, as delivered: coarser ones without those of their parts", async () => {
  const pairs = [
    pair(cell(1), cell(3), 41, 7, { speed: 31.25 }),
    pair(cell(2), cell(3), 30, 4),
    pair(area(41), area(42), 93, 12, { speed: 33 }),
    pair(county(4), area(42), 7, 4),
    pair(quarter(1), quarter(3), 33, 8),
  ];
  const isProtected = { ...EST, step: 1, isProtected: true, distance: "none" } as const;
  expect(await publish(pairs, [isProtected])).toEqual({
    [name({ from: cell(1), to: cell(3) })]: expect.objectContaining({ trips: 41, average_speed_kmh: 31.25 }),
    [name({ from: area(41), to: area(42) })]: expect.objectContaining({ trips: 93, average_speed_kmh: 33 }),
  });
});

it("no published value of any pair of types depends on withheld pairs", async () => {
  const ends = [
    ...[quarter, cell].map((make) => [make(1), make(2), make(3), make(5)] as const),
    ...[
      [area(41), area(42), area(51)],
      [county(4), county(5)],
      [link(7), link(8)],
    ],
  ];
  // A fixed sequence of numbers, with devices on both sides of k.
  let state = 1;
  const draw = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const all = ends.flatMap((origins) =>
    ends.flatMap((destinations) =>
      origins.flatMap((from) => destinations.map((to) => pair(from, to, 1 + draw(300), 1 + draw(9), { speed: draw(500) / 10 }))),
    ),
  );
  const isWithheld = ({ devices }: Pair): boolean => devices < EST.k;
  const withheld = all.filter(isWithheld);
  expect(withheld.length).toBeGreaterThan(50);
  const redrawn = all.map((row) => (isWithheld(row) ? { ...row, trips: 1 + draw(300), devices: 1 + draw(4), speed: draw(500) / 10 } : row));
  const without = all.filter((row) => !isWithheld(row));
  for (const step of [1, 20]) {
    const countries = [{ ...EST, step, finestType: "grid_250m" } as const];
    const published = await publish(all, countries);
    expect(new Set(Object.keys(published).map((ends) => ends.replaceAll(/ \d+/g, ""))).size).toBe(25);
    expect(await publish(redrawn, countries)).toEqual(published);
    expect(await publish(without, countries)).toEqual(published);
  }
});

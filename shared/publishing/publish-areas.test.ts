import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AreaPublisher, EST, type Geographies, startAreas } from "../../infra/testing/privacy/published-areas.ts";
import type { Publication } from "./fact-table.ts";

const NOR = { ...EST, code: "NOR", finestType: "grid_1000m" } as const;
const LAT = { ...EST, code: "LAT", isProtected: true, step: 1 } as const;

const corner = (km: number): number => 51520004124000 + km * 1000;
const cellsOf = (km: number, count: number, area: (cell: number) => number): Geographies =>
  Object.fromEntries(
    Array.from({ length: count }, (_, cell) => [
      `${"abcdefghijklmnop"[cell]}${km}`,
      ["grid_250m", corner(km) + (cell % 4) * 2_500_000_000 + Math.floor(cell / 4) * 250, area(cell)],
    ]),
  );
/** Cells a1 to p1 of km k1 and so on. Area 41 has four km, two with one cell; 42 has a km of 2 cells; k6 lies in 43 and 44. */
const GEOGRAPHIES: Geographies = {
  ...cellsOf(1, 16, () => 41),
  ...cellsOf(2, 16, () => 41),
  ...cellsOf(3, 1, () => 41),
  ...cellsOf(4, 1, () => 41),
  ...cellsOf(5, 2, () => 42),
  ...cellsOf(6, 2, (cell) => 43 + cell),
  ...Object.fromEntries([1, 2, 3, 4].map((km) => [`k${km}`, ["grid_1000m", corner(km), 41] as const])),
  k5: ["grid_1000m", corner(5), 42],
  k6: ["grid_1000m", corner(6), 43],
  ...Object.fromEntries([41, 42, 43, 44].map((area) => [`area${area}`, ["admin_level_4", area, area < 43 ? 2 : 3] as const])),
  region2: ["admin_level_2", 2, null],
  region3: ["admin_level_2", 3, null],
};

let areas: AreaPublisher;

beforeAll(async () => {
  areas = await startAreas(GEOGRAPHIES, [EST, NOR, LAT]);
});

afterAll(() => areas.close());

describe("hours", () => {
  it("are published as in the example of the rules", async () => {
    const cells = [["a1", 12] as const, ["b1", 7] as const, ["c1", 3] as const, ["d1", 2] as const, ["a2", 9] as const, ["b2", 3] as const];
    const published = await areas.people({ hours: [...cells, ["k1", 22], ["k2", 12], ["area41", 33]] });
    expect(published).toEqual({ a1: 40, b1: 20, a2: 40, k1: 80, k2: 40, area41: 120 });
  });

  it("of a finest row are told from k devices, to the nearest step, ties up, and never below one step", async () => {
    const rows = [["a1", 4, { people: 900 }] as const, ["b1", 5, { people: 5 }] as const, ["c1", 6, { people: 30 }] as const];
    expect(await areas.people({ hours: rows })).toEqual({ b1: 20, c1: 40 });
  });

  it("keep as many hidden devices as the other places could hold, if these are k", async () => {
    // 6 hidden devices of 3 cells stay in: any of the 15 other cells could hold them. In km 5, one other cell could: they are taken out.
    const hidden = [["a1", 20] as const, ["b1", 2] as const, ["c1", 2] as const, ["d1", 2] as const, ["k1", 26] as const];
    expect(await areas.people({ hours: hidden })).toMatchObject({ k1: 100 });
    expect(
      await areas.people({
        hours: [
          ["a5", 20],
          ["k5", 26],
        ],
      }),
    ).toMatchObject({ a5: 80, k5: 80 });
  });

  it("count devices that no part of the file has as hidden", async () => {
    expect(
      await areas.people({
        hours: [
          ["a1", 20],
          ["k1", 23],
        ],
      }),
    ).toEqual({ a1: 80, k1: 80 });
    expect(
      await areas.people({
        hours: [
          ["a1", 20],
          ["k1", 30],
        ],
      }),
    ).toEqual({ a1: 80, k1: 120 });
  });

  it("are never below the largest told part, in devices and in people", async () => {
    // Less its 4 hidden devices, km 1 has 3.
    expect(
      await areas.people({
        hours: [
          ["a1", 6],
          ["b1", 4],
          ["k1", 7],
        ],
      }),
    ).toEqual({ a1: 20, k1: 20 });
    // Half of the devices of km 1 stand for few people.
    const scaled = [["a1", 10, { people: 100 }] as const, ["b1", 10, { people: 10 }] as const, ["k1", 20, { people: 60 }] as const];
    expect(await areas.people({ hours: scaled })).toEqual({ a1: 100, b1: 20, k1: 100 });
  });

  it("have no more people than their told parts could, however many a withheld device stands for", async () => {
    const told = ["a1", "b1", "c1"].map((name) => [name, 29, { people: 29 }] as const);
    expect(await areas.people({ hours: [...told, ["d1", 4, { people: 16 }], ["k1", 91, { people: 103 }]] })).toMatchObject({
      a1: 20,
      k1: 80,
    });
    // Devices that stay in may stand for the most.
    const kept = [["d1", 3, { people: 12 }] as const, ["e1", 2, { people: 8 }] as const];
    expect(await areas.people({ hours: [...told, ...kept, ["k1", 92, { people: 107 }]] })).toMatchObject({ a1: 20, k1: 100 });
  });

  it("hand what they lack to the row around them", async () => {
    // Km 1 and 2 tell 20 and 21 and lack 4 and 3; that area 41 lacks 7 can be 3 other km as well.
    const rows = [
      ["a1", 20] as const,
      ["b1", 4] as const,
      ["k1", 24] as const,
      ["a2", 21] as const,
      ["b2", 3] as const,
      ["k2", 24] as const,
    ];
    expect(await areas.people({ hours: [...rows, ["area41", 48]] })).toMatchObject({ k1: 80, k2: 80, area41: 200 });
    // Without the 3 of km 2, area 41 lacks 4: too few to stay.
    expect(await areas.people({ hours: [...rows.slice(0, 4), ["k2", 21], ["area41", 45]] })).toMatchObject({ k1: 80, k2: 80, area41: 160 });
  });

  it("take up the parts of a row that is missing", async () => {
    expect(
      await areas.people({
        hours: [
          ["a1", 20],
          ["b1", 3],
          ["area41", 23],
        ],
      }),
    ).toEqual({ a1: 80, area41: 80 });
  });
});

describe("a km that lies in two areas", () => {
  it("is not told where cells are offered: its cells are parts of their areas", async () => {
    const rows = [["a6", 20] as const, ["b6", 3] as const, ["k6", 23] as const, ["area43", 20] as const, ["area44", 3] as const];
    expect(await areas.people({ hours: [...rows, ["region3", 23]] })).toEqual({ a6: 80, area43: 80, region3: 80 });
  });

  it("is told like any other where it is the finest type, and cells are not told", async () => {
    const rows = [["a6", 20] as const, ["k6", 23] as const, ["k5", 4] as const, ["area43", 24] as const];
    const hours = rows.map(([name, devices]) => [name, devices, { country: "NOR" }] as const);
    expect(await areas.people({ hours })).toEqual({ k6: 100, area43: 100 });
  });
});

describe("stays", () => {
  const stays = (devices: number, count: number, minutes: number) => ({
    stays_devices: devices,
    stays_count: count,
    stays_dwell_minutes: minutes,
  });
  const staysOf = async (...hours: Parameters<AreaPublisher["rows"]>[0]["hours"] & {}) =>
    (await areas.rows({ hours })).map((row) => [row.name, row.stays_devices, row.stays_count, row.stays_dwell_minutes]);

  it("are rounded to k, and their minutes are the rounded devices times the mean to five minutes", async () => {
    expect(await staysOf(["a1", 40, stays(12, 33, 12 * 43)])).toEqual([["a1", 10, 35, 10 * 45]]);
  });

  it("of fewer than k devices are 0", async () => {
    expect(await staysOf(["a1", 40, stays(4, 33, 99)])).toEqual([["a1", 0, 0, 0]]);
  });

  it("are of all devices where fewer than k did not stay, and one each where fewer than k came back", async () => {
    expect(await staysOf(["a1", 40, stays(37, 41, 37 * 10)])).toEqual([["a1", 40, 40, 40 * 10]]);
  });

  it("of a coarser row are sums of its told finest rows, whatever the file says", async () => {
    const rows = [["a1", 40, stays(12, 33, 516)] as const, ["b1", 4, stays(4, 4, 40)] as const, ["a2", 40, stays(20, 20, 100)] as const];
    const coarser = [["k1", 44, stays(16, 37, 556)] as const, ["area41", 84, stays(36, 57, 656)] as const];
    expect(await staysOf(...rows, ...coarser)).toEqual([
      ...[["a1", 10, 35, 450] as const, ["a2", 20, 20, 100] as const],
      ...[["k1", 10, 35, 450] as const, ["area41", 30, 55, 550] as const],
    ]);
  });
});

describe("days", () => {
  const other = [9, 10, 11, 12].map((hour) => ["p2", 50, { hour }] as const);
  const hoursOf = (...devices: number[]) => devices.map((count, index) => ["a1", count, { hour: 9 + index }] as const);

  it("are published as in the example of the rules: within k of an hour, with its number", async () => {
    expect(await areas.people({ hours: hoursOf(12, 21, 4), days: [["a1", 24]] })).toEqual({ a1: 80 });
  });

  it("tell of what their told hours do not hold no more than the other hours could", async () => {
    // One of three hours is absent: nothing. Three of four: two of them could hold 8.
    expect(await areas.people({ hours: [...hoursOf(20, 20), ["p2", 9, { hour: 11 }]], days: [["a1", 70]] })).toEqual({ a1: 160 });
    expect(await areas.people({ hours: [...hoursOf(20), ...other], days: [["a1", 70]] })).toEqual({ a1: 120 });
  });

  it("have no more people than their told hours could, however many a device of a withheld hour stands for", async () => {
    const hours = [10, 11, 12].map((hour) => ["a1", 29, { hour, people: 29 }] as const);
    const withheld = ["a1", 4, { hour: 13, people: 16 }] as const;
    expect(await areas.people({ hours: [...hours, withheld], days: [["a1", 91, { people: 103 }]] })).toEqual({ a1: 80 });
  });

  it("sum up the minutes of their told hours, and round other stays of their own", async () => {
    const stays = (minutes: number, hour: number) => ({ hour, stays_devices: 10, stays_count: 10, stays_dwell_minutes: minutes });
    const hours = [
      ["a1", 20, stays(100, 9)] as const,
      ["a1", 20, stays(300, 10)] as const,
      ["a1", 4, { ...stays(50, 11), stays_devices: 4 }] as const,
      ["k1", 20, stays(100, 9)] as const,
    ];
    const days = [["a1", 40, { ...stays(999, 0), stays_count: 24 }] as const, ["k1", 40, stays(999, 0)] as const];
    expect(
      (await areas.rows({ hours, days })).map((row) => [row.name, row.stays_devices, row.stays_count, row.stays_dwell_minutes]),
    ).toEqual([
      ["a1", 10, 20, 400],
      ["k1", 10, 20, 400],
    ]);
  });

  it("have no fewer stays than an hour, and of those that no told hour has only what the others could hide", async () => {
    const of = (stayed: number, hour: number) => ({ hour, stays_devices: stayed, stays_count: stayed, stays_dwell_minutes: 10 * stayed });
    const staysOfDay = async (
      hours: readonly (readonly [devices: number, stayed: number])[],
      all: number,
      day: readonly [number, number],
    ) => {
      const raw = hours.map(([devices, stayed], index) => ["a1", devices, of(stayed, 9 + index)] as const);
      const others = Array.from({ length: all }, (_, index) => ["p2", 50, { hour: 9 + index }] as const);
      const rows = await areas.rows({ hours: [...raw, ...others], days: [["a1", day[0], of(day[1], 0)]] });
      return rows.map(({ stays_devices, stays_count }) => [stays_devices, stays_count]);
    };
    // Of 9 devices of the hour 4 did not stay, so it has 10. With 5 the day would tell that the hour has them.
    expect(await staysOfDay([[9, 5]], 4, [14, 5])).toEqual([[10, 10]]);
    // The 4 of the second hour stayed in no told one: with 10 the day would tell of them. Of six hours, five could hide 20.
    const withheld = [[20, 7] as const, [4, 4] as const];
    expect(await staysOfDay(withheld, 2, [24, 11])).toEqual([[5, 5]]);
    expect(await staysOfDay(withheld, 6, [40, 30])).toEqual([[20, 20]]);
  });

  it("are the same if their hours are decided before", async () => {
    const stays = { stays_devices: 10, stays_count: 12, stays_dwell_minutes: 100 };
    const hours = [...hoursOf(20, 7, 3), ...other, ["b1", 9, { hour: 9, ...stays }] as const, ["k1", 30, { hour: 9, ...stays }] as const];
    const days = [["a1", 26, stays] as const, ["b1", 40, stays] as const, ["k1", 66, stays] as const];
    const published = await areas.rows({ hours, days });
    expect(published).toHaveLength(3);
    expect(await areas.rows({ hours, days, areHoursDecided: true })).toEqual(published);
  });

  it("wait for their hours, and for those of their type", async () => {
    const days = [["a1", 40] as const, ["k1", 40] as const, ["a1", 40, { day: 2 }] as const];
    expect((await areas.rows({ hours: hoursOf(30), days })).map(({ name, day }) => [name, day])).toEqual([["a1", "2026-03-01"]]);
    expect(await areas.people({ hours: [], days })).toEqual({});
  });
});

describe("rows of a batch", () => {
  it("are not told at coarser levels if it has no rows of the finest type", async () => {
    const hours = [["k1", 40] as const, ["area41", 40] as const, ["a1", 40, { day: 2 }] as const, ["k1", 40, { day: 2 }] as const];
    expect((await areas.rows({ hours })).map(({ name, day }) => [name, day])).toEqual([
      ["a1", "2026-03-02"],
      ["k1", "2026-03-02"],
    ]);
    expect(
      await areas.people({
        hours: [["k1", 40, { hour: 9 }]],
        days: [
          ["a1", 40],
          ["k1", 40],
        ],
      }),
    ).toEqual({});
  });

  it("of several countries and days are published at once, each by its own rules", async () => {
    const place = (country: string, day: number) => [
      ["a1", 20, { country, day }] as const,
      ["b1", 3, { country, day }] as const,
      ["k1", 23, { country, day, hour: 10 }] as const,
    ];
    const hours = [...place("EST", 1), ...place("EST", 2), ...place("NOR", 1), ...place("LAT", 2)];
    expect((await areas.rows({ hours })).map(({ country_code, day, name, people }) => [country_code, day.slice(-1), name, people])).toEqual(
      [
        ...[
          ["EST", "1", "a1", 80] as const,
          ["EST", "1", "k1", 80] as const,
          ["EST", "2", "a1", 80] as const,
          ["EST", "2", "k1", 80] as const,
        ],
        ...[["LAT", "2", "a1", 80] as const, ["LAT", "2", "k1", 92] as const, ["NOR", "1", "k1", 100] as const],
      ],
    );
  });

  it("of protected data are told from k devices as they are", async () => {
    const country = "LAT";
    const stays = { stays_devices: 3, stays_count: 4, stays_dwell_minutes: 5 };
    const raw = [["a6", 4, { country }] as const, ["k6", 7, { country, people: 13, ...stays }] as const];
    const days = raw.map(([name, devices, rest]) => [name, devices, { ...rest, hour: 0 }] as const);
    for (const given of [{ hours: raw }, { days }])
      expect(await areas.rows(given)).toMatchObject([{ name: "k6", people: 13, stays_devices: 3, stays_count: 4, stays_dwell_minutes: 5 }]);
  });
});

it("other values are sums to a step, not 0 unless delivered as 0, or means weighted by them", async () => {
  const publication: Publication = {
    nesting: "areas",
    values: [
      { column: "stays_count", rule: "additive" },
      { column: "stays_devices", rule: "additive" },
      { column: "stays_dwell_minutes", rule: "mean", over: "stays_count" },
    ],
  };
  const rest = (count: number, mean: number, zero = 0) => ({ stays_count: count, stays_dwell_minutes: mean, stays_devices: zero });
  const cells = [["a1", 20, rest(3, 10)] as const, ["b1", 20, rest(70, 40, 1)] as const, ["c1", 4, rest(900, 900, 900)] as const];
  const rows = await areas.rows({ hours: [...cells, ["k1", 44, rest(973, 800, 901)]], publication });
  expect(rows.map((row) => [row.name, row.stays_count, row.stays_devices, row.stays_dwell_minutes])).toEqual([
    ["a1", 20, 0, 10],
    ["b1", 80, 20, 40],
    ["k1", 100, 20, 34],
  ]);
});

it("a distance is only of pairs", async () => {
  const publication: Publication = { nesting: "areas", values: [{ column: "people", rule: "distance" }] };
  await expect(areas.rows({ publication })).rejects.toThrow("people: only pairs have a distance");
});

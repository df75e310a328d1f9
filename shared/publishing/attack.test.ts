import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";
import { NESTED_LEVELS } from "./nesting.ts";

const K = 5;
const WORLDS = 150;

/** A finest cell: the numbers of its km cell and area, and its devices. */
interface Cell {
  readonly km: number;
  readonly area: number;
  readonly devices: number;
}

/** A separate county: cells in up to three km cells and three areas, how many devices parts share, and which coarser row is missing. */
interface World {
  readonly cells: readonly Cell[];
  /** Percent of the devices beyond those of the largest part that a coarser row does not count again. */
  readonly shared: number;
  readonly levels: readonly string[];
  readonly missing: number;
}

const cells = (crosses: boolean): fc.Arbitrary<readonly Cell[]> =>
  fc
    .array(
      fc.record({ km: fc.nat(2), area: fc.nat(2), devices: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 })) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((all) => all.map((cell) => (crosses ? cell : { ...cell, area: Math.min(1, cell.km) })));
/** Worlds of all levels. If cells nest, also worlds without the finest level. */
const worlds = (crosses: boolean, shared: fc.Arbitrary<number>): World[] => {
  const all = { cells: cells(crosses), shared, levels: fc.constant(NESTED_LEVELS), missing: fc.integer({ min: -1, max: 9 }) };
  const without = { ...all, levels: fc.constant(NESTED_LEVELS.slice(1)), missing: fc.constant(-1) };
  return fc.sample(crosses ? fc.record(all) : fc.oneof(fc.record(all), fc.record(without)), { numRuns: WORLDS, seed: 20_260_301 });
};

/** A row of a world, with the indexes of the cells within it. */
interface Row {
  readonly type: string;
  readonly id: number;
  readonly level: number;
  readonly cells: readonly number[];
  readonly devices: number;
}

const KM = 10_000_000_000;
const kmId = (world: number, km: number): number => 4_000_000 * 10_000_000 + (world * 3 + km) * 1000 * 10_000_000 + 3_000_000;
const cellId = (world: number, km: number, index: number): number => kmId(world, km) + (index % 4) * (KM / 4) + Math.floor(index / 4) * 250;

function rowsOf({ cells, shared, missing }: World, world: number): Row[] {
  const inside = (test: (cell: Cell) => boolean): number[] => cells.flatMap((cell, index) => (test(cell) ? [index] : []));
  const row = (level: number, id: number, within: readonly number[]): Row[] => {
    const devices = within.map((index) => cells[index]?.devices ?? 0);
    const most = Math.max(0, ...devices);
    const rest = devices.reduce((sum, count) => sum + count, 0) - most;
    return within.length === 0
      ? []
      : [{ type: NESTED_LEVELS[level] ?? "", id, level, cells: within, devices: most + rest - Math.floor((rest * shared) / 100) }];
  };
  const rows = [
    ...cells.flatMap(({ km }, index) => row(0, cellId(world, km, index), [index])),
    ...[0, 1, 2].flatMap((km) =>
      row(
        1,
        kmId(world, km),
        inside((cell) => cell.km === km),
      ),
    ),
    ...[0, 1, 2].flatMap((area) =>
      row(
        2,
        world * 10 + area,
        inside((cell) => cell.area === area),
      ),
    ),
    ...row(
      3,
      world,
      inside(() => true),
    ),
  ];
  const coarser = rows.filter(({ level }) => level === 1 || level === 2);
  return rows.filter((candidate) => candidate !== coarser[missing]);
}

/** Sums the devices of the withheld cells that the same published rows contain. No sum or difference of rows separates such cells. */
function revealedSums(rows: readonly Row[], published: ReadonlySet<Row>): number[] {
  const cells = rows.filter(({ level }) => level === Math.min(...rows.map((row) => row.level)));
  const sums = new Map<string, number>();
  for (const cell of cells.filter((candidate) => !published.has(candidate))) {
    const around = rows.filter((row) => published.has(row) && cell.cells.every((index) => row.cells.includes(index)));
    const name = around.map(({ type, id }) => `${type} ${id}`).join();
    if (name !== "") sums.set(name, (sums.get(name) ?? 0) + cell.devices);
  }
  return [...sums.values()];
}

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
});

afterAll(() => loads.close());

/** Loads the worlds, each with separate geographies. Returns their rows and which of them are published. */
async function loaded(all: readonly World[]): Promise<{ rows: readonly Row[]; published: ReadonlySet<Row> }[]> {
  const rows = all.map((world, index) => rowsOf(world, index + 1).filter(({ type }) => world.levels.includes(type)));
  const parents = all.flatMap(({ cells }, index) => {
    const world = index + 1;
    const areaOfKm = new Map(cells.map(({ km, area }) => [kmId(world, km), world * 10 + area]));
    return [
      ...cells.map(({ km, area }, cell) => ["grid_250m", cellId(world, km, cell), world * 10 + area]),
      ...[...areaOfKm].map(([km, area]) => ["grid_1000m", km, area]),
      ...[0, 1, 2].map((area) => ["admin_level_4", world * 10 + area, world]),
    ];
  });
  await loads.run("DELETE FROM mobility.geographies WHERE TRUE");
  const geographies = parents.map(([type, id, parent]) => `("EST", "${type}", ${id}, "n", ${parent}, 25, 59)`).join(", ");
  await loads.run(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${geographies}`);
  const key = { country_code: "EST", batch_date: "2026-03-01", time_bucket: "2026-02-28T22:00:00Z" };
  await loads.load(
    "activities_daily",
    rows.flat().map(({ type, id, devices }): LoadedRow => ({ ...key, geo_type: type, geo_id: id, devices })),
  );
  const found = await loads.run(`SELECT geo_type, geo_id FROM mobility.activities_daily WHERE batch_date = "2026-03-01" AND publishable`);
  const shown = new Set(found.map((row) => Object.values(Object(row)).join(" ")));
  return rows.map((own) => ({ rows: own, published: new Set(own.filter(({ type, id }) => shown.has(`${type} ${id}`))) }));
}

describe("sums and differences of published rows reveal withheld cells only in groups of k devices or more", () => {
  it.each([
    ["nested cells without shared people", worlds(false, fc.constant(0))],
    ["nested cells with shared people", worlds(false, fc.nat(100))],
    ["cells in several areas", worlds(true, fc.constant(0))],
    ["cells in several areas, with shared people", worlds(true, fc.nat(100))],
  ])("%s", async (_name, all) => {
    const outcomes = await loaded(all);
    expect(outcomes.flatMap(({ rows, published }) => revealedSums(rows, published)).filter((devices) => devices < K)).toEqual([]);
    expect(outcomes.filter(({ published }) => [...published].some(({ level }) => level > 1)).length).toBeGreaterThan(WORLDS / 10);
  });
});

it("withholds a row with k devices only if it would reveal fewer than k, if cells nest", async () => {
  const outcomes = await loaded(worlds(false, fc.constant(0)));
  const needless = outcomes.flatMap(({ rows, published }) =>
    rows
      .filter((row) => row.devices >= K && !published.has(row))
      .filter((row) =>
        revealedSums(rows, new Set([...published, row].filter(({ level }) => level <= row.level))).every((devices) => devices >= K),
      ),
  );
  expect(needless).toEqual([]);
});

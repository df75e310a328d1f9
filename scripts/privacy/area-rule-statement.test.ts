import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AreaPublisher, EST, type Geographies, startAreas } from "../../infra/testing/privacy/published-areas.ts";
import { type Counts, type DecidedRows, publishDay, publishHour } from "./area-rule.ts";
import { placeId, placesOf } from "./places.ts";

const CORNER = 51520004124000;
const LEVELS = { grid_250m: 0, grid_1000m: 1, admin_level_4: 2, admin_level_2: 3 } as const;
type Type = keyof typeof LEVELS;
type Geography = readonly [type: Type, id: number, parent: number | null];

/** The cell of a number in its km. */
const cell = (km: number, number: number, area: number): Geography => [
  "grid_250m",
  CORNER + km * 1000 + (number % 4) * 2_500_000_000 + Math.floor(number / 4) * 250,
  area,
];
const kmCell = (km: number, area: number): Geography => ["grid_1000m", CORNER + km * 1000, area];
/** Three km with six, three and two cells, the last in two areas. */
const GEOGRAPHIES: Readonly<Record<string, Geography>> = {
  ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((number) => [`a${number}`, cell(1, number, 41)])),
  ...Object.fromEntries([0, 1, 2].map((number) => [`b${number}`, cell(2, number, 41)])),
  ...Object.fromEntries([0, 1].map((number) => [`c${number}`, cell(3, number, 41 + number)])),
  ...{ a: kmCell(1, 41), b: kmCell(2, 41), c: kmCell(3, 41) },
  ...{ x: ["admin_level_4", 41, 2], y: ["admin_level_4", 42, 2], r: ["admin_level_2", 2, null] },
};
const NAMES = Object.keys(GEOGRAPHIES);
const PLACES = placesOf(
  Object.values(GEOGRAPHIES).map(([geo_type, geo_id, parent_id]) => ({ geo_type, geo_id, parent_id })),
  0,
);
const RULES = { k: EST.k, step: EST.step, peoplePerDevice: EST.peopleOfDevice, finestLevel: 0, isProtected: false, isStrict: false };
const HOURS = Array.from({ length: 20 }, (_, hour) => hour);

/** A row by name: its devices, and people from one to the most that a device stands for. */
type Row = readonly [name: string, devices: number, people: number];

const Devices = fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 8, max: 60 }));
const RowOf = (name: string): fc.Arbitrary<Row> =>
  fc.tuple(Devices, fc.double({ min: 1, max: 4, noNaN: true })).map(([devices, worth]) => [name, devices, Math.floor(devices * worth)]);
/**
 * Rows of some places, always of one cell: without any nothing is told. Those of coarser places need not fit those within: a file can have anything,
 * and both must say the same of it.
 */
const Rows = fc
  .tuple(RowOf("a0"), ...NAMES.slice(1).map((name) => fc.option(RowOf(name))))
  .map((drawn) => drawn.filter((row) => row !== null));

const idOf = (name: string): string => {
  const [type, id] = GEOGRAPHIES[name] ?? ["grid_250m", 0];
  return placeId(LEVELS[type], id);
};
const countsOf = (rows: readonly Row[]): Counts => new Map(rows.map(([name, devices, people]) => [idOf(name), { devices, people }]));
const numbersOf = (decided: DecidedRows): Record<string, number> =>
  Object.fromEntries(NAMES.flatMap((name) => [[name, decided.get(idOf(name))?.number ?? 0] as const]).filter(([, number]) => number > 0));

let areas: AreaPublisher;

beforeAll(async () => {
  areas = await startAreas(GEOGRAPHIES satisfies Geographies, [EST]);
});

afterAll(() => areas.close());

describe("the auditor's rule, which is written from the sentences, and the statement that runs", () => {
  it("publish the same people of any day, whatever its devices stand for", async () => {
    const Day = fc.record({ hours: fc.array(Rows, { minLength: HOURS.length, maxLength: HOURS.length }), day: Rows });
    await fc.assert(
      fc.asyncProperty(Day, async ({ hours, day }) => {
        const delivered = hours.flatMap((rows, index) =>
          rows.map(([name, devices, people]) => [name, devices, { hour: HOURS[index] ?? 0, people }] as const),
        );
        const decided = hours.map((rows) => publishHour(PLACES, RULES, countsOf(rows)));
        const rowsOfHours = await areas.rows({ hours: delivered });
        const seen = HOURS.map((hour) =>
          Object.fromEntries(rowsOfHours.filter((row) => row.hour === hour).map(({ name, people }) => [name, people])),
        );
        expect(seen).toEqual(decided.map(numbersOf));
        const days = await areas.people({ hours: delivered, days: day.map(([name, devices, people]) => [name, devices, { people }]) });
        expect(days).toEqual(numbersOf(publishDay(PLACES, RULES, countsOf(day), decided)));
      }),
      { numRuns: 8, seed: 20_261_128 },
    );
  });
});

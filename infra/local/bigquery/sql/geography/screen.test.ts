import fc from "fast-check";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../../../testing/engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
});

afterAll(() => warehouse.close());

type Position = readonly [lon: number, lat: number];

/** Uniform over 0 to 1, which `fc.double` is not. */
const share = fc.nat(1_000_000).map((millionths) => millionths / 1_000_000);
/** Longitudes where screens are error-prone: the antimeridian, the poles, longitude 0 and 90, and all between. */
const longitude = fc.oneof(
  fc.constantFrom(-180, -179.995, -90, 0, 0.005, 90, 179.99, 180),
  share.map((part) => 360 * part - 180),
);
const latitude = fc.oneof(
  fc.constantFrom(-90, -89.99, 0, 60, 89.995, 90),
  share.map((part) => 180 * part - 90),
);
const vertex = fc.tuple(longitude, latitude);
const pairs = fc
  .record({
    line: fc.array(vertex, { minLength: 2, maxLength: 3 }),
    along: share,
    off: fc.tuple(share, share),
    anywhere: vertex,
    apart: fc.boolean(),
  })
  .map(({ line, along, off, anywhere, apart }) => ({ line, point: apart ? anywhere : besides(line, along, off) }));

type Vector = readonly [number, number, number];

function vector([lon, lat]: Position): Vector {
  const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
}

/** Returns a point near the first arc of a line: some way along its chord, and up to 0.05 degrees aside. */
function besides(line: readonly Position[], along: number, off: readonly [number, number]): Position {
  const [a, b] = [vector(line[0] ?? [0, 0]), vector(line[1] ?? [0, 0])];
  const mixed = (index: 0 | 1 | 2): number => a[index] * (1 - along) + b[index] * along;
  const [x, y, z] = [mixed(0), mixed(1), mixed(2)];
  const lat = (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI + 0.1 * (off[1] - 0.5);
  return [(Math.atan2(y, x) * 180) / Math.PI + 0.1 * (off[0] - 0.5), Math.max(-90, Math.min(90, lat))];
}

const Counts = v.tuple([v.object({ mistaken: v.number(), near: v.number(), far: v.number() })]);

it.each([10, 2012, 400_000, 12_000_000])(
  "ST_DWITHIN at %d m agrees with ST_DISTANCE, also at the poles and across the antimeridian",
  async (metres) => {
    const made = fc.sample(pairs, { seed: metres, numRuns: 500 }).map(({ line, point: [lon, lat] }) => ({
      lon,
      lat,
      line: `LINESTRING(${line.map(([x, y]) => `${x} ${y}`).join(", ")})`,
    }));
    const [rows] = await warehouse.client.query({
      query: `
      WITH pairs AS (
        SELECT ST_GEOGFROMTEXT(line) AS line, ST_GEOGPOINT(lon, lat) AS same, lon, lat FROM UNNEST(@pairs)
      )
      SELECT COUNTIF(ST_DWITHIN(line, ST_GEOGPOINT(lon, lat), @metres) != (ST_DISTANCE(line, same) <= @metres)) AS mistaken,
        COUNTIF(ST_DISTANCE(line, same) <= @metres) AS near, COUNTIF(ST_DISTANCE(line, same) > @metres) AS far
      FROM pairs`,
      params: { pairs: made, metres },
      types: { pairs: [{ line: "STRING", lon: "FLOAT64", lat: "FLOAT64" }], metres: "FLOAT64" },
    });
    const [{ mistaken, near, far }] = v.parse(Counts, rows);
    expect(mistaken).toBe(0);
    expect(near + far).toBe(made.length);
    if (metres === 2012) expect(Math.min(near, far)).toBeGreaterThan(50);
  },
);

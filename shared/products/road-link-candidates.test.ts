import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTables } from "../../infra/local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import type { Line } from "../geometry/distance-to-line.ts";
import type { Point } from "../geometry/polygon.ts";
import { direct, inverse } from "../geometry/testing/vincenty.ts";
import { clientQuery } from "../google/bigquery.ts";
import { rowsOf } from "../google/statement.ts";
import { type LinkCandidate, type NearestLink, nearestLink } from "./nearest-road-link.ts";
import { nearestLinkStatement } from "./road-link-candidates.ts";

const NORTH = 0;
const EAST = 90;

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
});

afterAll(() => warehouse.close());

interface Road {
  readonly name: string;
  readonly class?: string;
  readonly country?: string;
  readonly line: Line | string;
}

function wkt(line: Line): string {
  return `LINESTRING(${line.map(([lon, lat]) => `${lon} ${lat}`).join(", ")})`;
}

/** Replaces the table's rows with these roads. Ids are positions in the list, from 1. Inserts in reverse order. */
async function given(...roads: readonly Road[]): Promise<void> {
  const connection = await warehouse.connection();
  await connection.run("DELETE FROM mobility.road_links");
  connection.closeSync();
  const rows = roads.map(({ name, line, class: roadClass = "primary", country = "EST" }, index) => ({
    ...{ country_code: country, link_id: index + 1, name, class: roadClass },
    geometry: typeof line === "string" ? line : wkt(line),
  }));
  await warehouse.client.dataset("mobility").table("road_links").insert(rows.toReversed());
}

async function candidates(point: Point, country = "EST"): Promise<LinkCandidate[]> {
  const nearest = nearestLinkStatement(country, point);
  const [rows] = await warehouse.client.query({ ...clientQuery(nearest), wrapIntegers: false });
  return rowsOf(nearest, rows).flat();
}

async function found(point: Point, country?: string): Promise<NearestLink | undefined> {
  return nearestLink(point, await candidates(point, country));
}

/** Returns a straight road of 1.2 km that passes the point at this bearing and distance. */
function passing(point: Point, bearing: number, metres: number): Line {
  const middle = direct(point, bearing, metres);
  return [direct(middle, bearing + 90, 500), direct(middle, bearing - 90, 700)];
}

const TALLINN: Point = [24.75, 59.43];

describe("the nearest link", () => {
  it("is the nearer of two crossing roads, with its class and its distance to a tenth of a metre", async () => {
    await given(
      { name: "Pronksi", class: "secondary", line: passing(TALLINN, EAST, 320.44) },
      { name: "Narva mnt", line: passing(TALLINN, NORTH, 240.26) },
    );
    expect(await found(TALLINN)).toEqual({ link_id: 2, link_name: "Narva mnt", link_type: "primary", distance_m: 240.3 });
    expect(await found(direct(TALLINN, EAST, 300))).toMatchObject({ link_id: 1, link_type: "secondary", distance_m: 20.4 });
  });

  it("is the one with the smaller id at the crossing of two roads", async () => {
    await given({ name: "b", line: passing(TALLINN, NORTH, 0) }, { name: "a", line: passing(TALLINN, EAST, 0) });
    expect(await found(TALLINN)).toMatchObject({ link_id: 1, distance_m: 0 });
  });

  it("is the nearer of two parallel roads 200 m apart, regardless of class", async () => {
    await given(
      { name: "motorway", class: "motorway", line: passing(TALLINN, NORTH, 130) },
      { name: "lane", class: "residential", line: passing(TALLINN, NORTH + 180, 70) },
    );
    expect(await found(TALLINN)).toMatchObject({ link_type: "residential", distance_m: 70 });
    expect(await found(direct(TALLINN, NORTH, 40))).toMatchObject({ link_type: "motorway", distance_m: 90 });
  });

  it("is not a link whose bounding box contains the point but whose line is far", async () => {
    const diagonal = { name: "diagonal", line: [direct(TALLINN, 225, 30_000), direct(TALLINN, 45, 30_000)] };
    const far = direct(TALLINN, 135, 5000);
    await given(diagonal, { name: "near", line: passing(far, EAST, 900) });
    expect(await found(far)).toMatchObject({ link_name: "near", distance_m: 900 });
    await given(diagonal);
    expect(await found(far)).toBeUndefined();
  });

  it("may have both ends far away and its middle near", async () => {
    const middle = direct(TALLINN, 135, 250);
    await given(
      { name: "long", line: [direct(middle, 45, 15_000), direct(middle, 225, 15_000)] },
      { name: "short", line: passing(TALLINN, NORTH, 400) },
    );
    expect(await found(TALLINN)).toMatchObject({ link_name: "long", distance_m: 250 });
  });

  it("is never in another country", async () => {
    await given(
      { name: "Läti", country: "LAT", line: passing(TALLINN, NORTH, 10) },
      { name: "Eesti", line: passing(TALLINN, NORTH, 1500) },
    );
    expect(await found(TALLINN)).toMatchObject({ link_name: "Eesti", distance_m: 1500 });
    expect(await found(TALLINN, "LAT")).toMatchObject({ link_name: "Läti", distance_m: 10 });
    expect(await found(TALLINN, "NOR")).toBeUndefined();
  });

  it("is found across the antimeridian", async () => {
    await given({ name: "dateline", country: "FJI", line: passing([180, -16.5], EAST, 300) });
    const point: Point = [-179.999, -16.5];
    const metres = Math.abs(inverse([180, -16.5], point).metres - 300);
    expect((await found(point, "FJI"))?.distance_m).toBeCloseTo(metres, 1);
  });

  it("with several lines is as near as its nearest line", async () => {
    const lines = [passing(TALLINN, EAST, 300), passing(TALLINN, NORTH, 120)].map((line) => wkt(line).replace("LINESTRING", ""));
    await given({ name: "two", line: `MULTILINESTRING(${lines.join(", ")})` });
    expect(await found(TALLINN)).toMatchObject({ link_name: "two", distance_m: 120 });
  });
});

/**
 * Compared with the ellipsoid, the sphere's metres are too short at the first two points and too long at the last, by up to 11 in 2,000.
 */
describe.each<[string, Point]>([
  ["latitude 59", [24.75, 59.0]],
  ["latitude 70", [25.5, 70.0]],
  ["the equator", [36.8, 0.0]],
])("the limit of 2 km at %s", (_name, point) => {
  it.each([
    ["north", NORTH],
    ["east", EAST],
    ["south-west", 225],
  ])("is measured on the ellipsoid, to the %s", async (_direction, bearing) => {
    await given({ name: "within", line: passing(point, bearing, 1999) });
    expect(await found(point)).toMatchObject({ link_name: "within", distance_m: 1999 });
    await given({ name: "beyond", line: passing(point, bearing, 2001) });
    expect(await found(point)).toBeUndefined();
  });
});

describe("of two links that the sphere orders wrongly", () => {
  it("the nearer one is found", async () => {
    // At the equator the sphere makes distances to the north longer by 0.56 % and distances to the east shorter by 0.11 %.
    const point: Point = [36.8, 0];
    await given({ name: "north", line: passing(point, NORTH, 1500) }, { name: "east", line: passing(point, EAST, 1503) });
    const [rows] = await warehouse.client.query(`SELECT name FROM \`mobility.road_links\`
      ORDER BY ST_DISTANCE(geometry, ST_GEOGPOINT(36.8, 0)) LIMIT 1`);
    expect(rows).toEqual([{ name: "east" }]);
    expect(await found(point)).toMatchObject({ link_name: "north", distance_m: 1500 });
  });
});

describe("the candidates", () => {
  /** Returns the candidates of one row. */
  const read = (row: object): LinkCandidate[] => rowsOf(nearestLinkStatement("EST", TALLINN), [row]).flat();

  it("are the few links that the sphere cannot distinguish from the nearest", async () => {
    const metres = [1000, 1005, 1009, 1020, 1100, 1999];
    await given(...metres.map((far) => ({ name: String(far), line: passing(TALLINN, NORTH, far) })));
    expect((await candidates(TALLINN)).map(({ link_name }) => link_name).sort()).toEqual(["1000", "1005", "1009"]);
  });

  it("are parsed from every line format that the warehouse writes", () => {
    const row = { link_id: 7, link_name: "", link_type: "primary" };
    expect(read({ ...row, line: "LINESTRING(1e-05 -2E+0, 3 4.5, 3 5)" })[0]?.line.flat()).toEqual([0.00001, -2, 3, 4.5, 3, 5]);
    // A line has two positions at least.
    const point = [3, 4];
    expect(read({ ...row, line: "POINT(3 4)" })).toEqual([{ ...row, line: [point, point] }]);
    expect(read({ ...row, line: "MULTILINESTRING((1 2, 3 4), (5 6, 7 8))" }).map(({ line }) => line[0])).toEqual([
      [1, 2],
      [5, 6],
    ]);
  });

  it.each([
    { line: "POLYGON((0 0, 1 0, 1 1, 0 0))" },
    { line: "GEOMETRYCOLLECTION(POINT(1 2), LINESTRING(1 2, 3 4))" },
    { line: "LINESTRING(1 2, 3)" },
    { line: null },
    { link_id: "7" },
    { link_name: null },
  ])("are rejected if invalid: %j", (faulty) => {
    expect(() => read({ link_id: 7, link_name: "a", link_type: "b", line: "LINESTRING(1 2, 3 4)", ...faulty })).toThrow();
  });

  it("are queried with all values as parameters, and the clustering columns as constants", () => {
    const { sql, parameters } = nearestLinkStatement("EST", [24.754321, 59.431234]);
    expect(sql).not.toMatch(/EST\b|24\.75|59\.43/);
    expect(sql).toContain("WHERE country_code = @country_code AND ST_DWITHIN(geometry, ST_GEOGPOINT(@lon, @lat), ");
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });
});

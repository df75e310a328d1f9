import { DuckDBInstance } from "@duckdb/node-api";
import proj4 from "proj4";
import * as v from "valibot";
import { expect, test } from "vitest";
import { double } from "./literals.ts";
import { withLonLat } from "./projection.ts";

const DEFINITIONS = {
  "EPSG:3035": "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs",
  "EPSG:25833": "+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs",
};

/** The sides of an area that contains every country of the grid, metres. */
const EXTENTS = {
  "EPSG:3035": { west: 4700000, east: 5500000, south: 3500000, north: 4400000 },
  "EPSG:25833": { west: -200000, east: 1200000, south: 6400000, north: 7990000 },
};

test.each(["EPSG:3035", "EPSG:25833"] as const)("the formulas in SQL invert %s as proj4 does, within 1e-7 degrees", async (crs) => {
  const { west, east, south, north } = EXTENTS[crs];
  const connection = await (await DuckDBInstance.create()).connect();
  const source = `(SELECT ${west} + x * ${double((east - west) / 40)} AS east, ${south} + y * ${double((north - south) / 40)} AS north FROM range(41) a(x), range(41) b(y))`;
  const reader = await connection.runAndReadAll(withLonLat(source, crs));
  const rows = v.parse(v.array(v.tuple([v.number(), v.number(), v.number(), v.number()])), reader.getRowsJS());
  const back = proj4(DEFINITIONS[crs], "WGS84");
  const errors = rows.map(([e, n, lon, lat]) => {
    const [lonExpected = Number.NaN, latExpected = Number.NaN] = back.forward([e, n]);
    return Math.max(Math.abs(lon - lonExpected), Math.abs(lat - latExpected));
  });
  expect(rows).toHaveLength(41 * 41);
  expect(Math.max(...errors)).toBeLessThan(1e-7);
  connection.closeSync();
});

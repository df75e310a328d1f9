import { expect, onTestFinished, test } from "vitest";
import { startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const GEOGRAPHIES = "country_code,geo_type,geo_id,geo_name,lon,lat,geometry";
/** A box of a tenth of a degree around a point, as an outline. */
const around = (lon: number, lat: number): string => {
  const [west, east, south, north] = [lon - 0.05, lon + 0.05, lat - 0.05, lat + 0.05];
  return `"POLYGON ((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))"`;
};
/** A 250 m cell of Tallinn in EPSG:3035. */
const CELL = 51520004124000;

async function withGrid() {
  const started = await startImportUnderTest(() => new Date("2026-03-01T12:02:00Z"));
  onTestFinished(started.close);
  const grid = { crs: "EPSG:3035", extents: [[21.5, 57.4, 28.3, 59.9]] };
  started.setCountries((countries) => ({ ...countries, EST: { ...countries.EST, grid } }));
  return started;
}

test("geographies outside of the country, or with their outline elsewhere, are refused with what is wrong", async () => {
  const { run } = await withGrid();
  const file = madeCsv(
    GEOGRAPHIES,
    `EST,admin_level_4,1,Tallinn,24.7,59.4,${around(24.7, 59.4)}`,
    "EST,admin_level_4,2,Swapped,59.4,24.7,",
    "EST,admin_level_4,3,Oslo,10.7,59.9,",
    `EST,admin_level_4,4,Outline swapped,24.7,59.4,${around(59.4, 24.7)}`,
    `EST,grid_250m,${CELL},Cell,24.7,59.4,`,
    "EST,grid_250m,1,No cell,24.7,59.4,",
    "UTO,admin_level_4,1,Anywhere,10.7,59.9,",
  );
  await expect(run("geographies", "--file", file)).rejects.toThrow(
    [
      `${file} has 4 errors. Nothing was loaded:`,
      `  line 3, column lon: "59.4 24.7" lies outside of EST: longitude and latitude are in each other's place`,
      `  line 4, column lon: "10.7 59.9" lies outside of EST (21.5 57.4 to 28.3 59.9): correct it, or the extents of the country's rules`,
      `  line 5, column geometry: "24.7 59.4" is the lon and lat of the row, and its outline is elsewhere, within 59.35 24.65 to 59.45 24.75`,
      `  line 7, column geo_id: "1" is no cell of EST: its corner lies outside of the country in EPSG:3035; correct it, or the extents of the country's rules`,
    ].join("\n"),
  );
});

test("roads and cells outside of the country are refused", async () => {
  const { run } = await withGrid();
  const roads = madeCsv(
    "country_code,link_id,name,class,geometry",
    'EST,1,Narva mnt,primary,"LINESTRING (24.75 59.43, 24.76 59.44)"',
    'EST,2,Swapped,primary,"LINESTRING (59.43 24.75, 59.44 24.76)"',
    'EST,3,Karl Johans gate,primary,"LINESTRING (10.73 59.91, 10.74 59.91)"',
  );
  await expect(run("road_links", "--file", roads)).rejects.toThrow(
    [
      `${roads} has 2 errors. Nothing was loaded:`,
      `  line 3, column geometry: "59.43 24.75 to 59.44 24.76" lies outside of EST: longitude and latitude are in each other's place`,
      `  line 4, column geometry: "10.73 59.91 to 10.74 59.91" lies outside of EST (21.5 57.4 to 28.3 59.9): correct it, or`,
    ].join("\n"),
  );
  const coverage = madeCsv("country_code,northing,first_cell_id,last_cell_id", `EST,4124000,${CELL},${CELL}`, `EST,4124000,1,${CELL}`);
  await expect(run("coverage", "--file", coverage)).rejects.toThrow('line 3, column first_cell_id: "1" is no cell of EST');
});

test("a tick with cells outside of the country is loaded with a warning: the feed goes on", async () => {
  const { run } = await withGrid();
  const tick = madeCsv("tick,country_code,cell_id,people,devices", ...[CELL, 1, 2].map((cell) => `2026-03-01T12:00:00Z,EST,${cell},10,5`));
  expect((await run("presence", "--file", tick)).slice(2)).toEqual([
    "Warning: 2 cell_ids are no cells of EST, such as 1: outside of the extents of the country's rules no headcount has them",
    "Loaded intake.presence 2026-03-01T12:00:00Z EST: 3 rows",
  ]);
});

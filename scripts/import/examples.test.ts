import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_PLACES } from "../../infra/local/sample/map/sample-places.ts";
import { cellAt, cellCorner } from "../../shared/geometry/grid.ts";
import { project } from "../../shared/geometry/projection.ts";
import { LOADED_TABLES } from "../../shared/products/loaded-tables.ts";
import { columnsOfDdl } from "./testing/columns-of-ddl.ts";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeFile } from "./testing/made-files.ts";

const FOLDER = fileURLToPath(new URL("../../infra/examples/", import.meta.url));
const RULES = fileURLToPath(new URL("../../infra/countries.json", import.meta.url));
const TICK = "2026-03-02T12:00:00Z";
const NOW = new Date("2026-03-02T12:02:00Z");
/** In the order in which they are loaded: what others refer to comes first. */
const TABLES = [
  "geographies",
  "geography_cells",
  "coverage",
  "road_links",
  "activities_hourly",
  "activities_daily",
  "odm_daily",
  "flows_hourly",
  "presence",
] as const;
type Table = (typeof TABLES)[number];
/** How many of the 20 rows are published. Of areas one cell has few devices, and the kilometre lies in two areas. */
const PUBLISHED: Readonly<Record<string, number>> = { activities_hourly: 18, activities_daily: 18, odm_daily: 19, flows_hourly: 19 };
const ofDays = (dataset: string, table: string): string =>
  `${dataset}.${table} WHERE country_code = 'LTU' AND ${dataset === "intake" ? "loaded_on" : "batch_date"} > '1970-01-01'`;
const ofTicks = (dataset: string): string => `${dataset}.presence WHERE country_code = 'LTU' AND tick > '1970-01-01'`;
/** Returns the rows that a load of a table writes, and those that are published of it. */
function storedOf(table: Table): readonly [loaded: string, published: string] {
  if (table in PUBLISHED) return [ofDays("intake", table), ofDays("mobility", table)];
  if (table === "presence") return [ofTicks("intake"), ofTicks("realtime")];
  return [`mobility.${table}`, `mobility.${table}`];
}
/** Columns that a file need not have: computed by the load, or given with --set. */
const NOT_IN_FILES = new Set([
  ...LOADED_TABLES.flatMap(({ name, computed }) => computed.map((column) => `${name}.${column}`)),
  "odm_daily.general_distance_m",
  "activities_hourly.batch_date",
  "activities_daily.batch_date",
  "flows_hourly.batch_date",
  "presence.tick",
]);

const read = (table: string): string => readFileSync(`${FOLDER}${table}.csv`, "utf8");
const rowsIn = (table: string): string[] => read(table).trimEnd().split("\n").slice(1);
const valuesOf = (table: string, column: string): string[] => {
  const at = read(table).split("\n", 1)[0]?.split(",").indexOf(column) ?? -1;
  return rowsIn(table).map((row) => row.split(",")[at] ?? "");
};
const more = (table: string): string[] => (table === "presence" ? ["--set", `tick=${TICK}`] : []);
const grid = { crs: "EPSG:3035", eastingOffset: 0, extent: [0, 0, 0, 0] } as const;

describe("the files of infra/examples", () => {
  it("are one for each table that is imported, of twenty rows with all columns that a file can have", () => {
    expect(readdirSync(FOLDER).sort()).toEqual(LOADED_TABLES.map(({ name }) => `${name}.csv`).sort());
    expect([...TABLES].sort()).toEqual(LOADED_TABLES.map(({ name }) => name).sort());
    for (const table of TABLES) {
      const columns = columnsOfDdl(table).map(({ name }) => name);
      const expected = columns.filter((name) => !NOT_IN_FILES.has(name) && !NOT_IN_FILES.has(`${table}.${name}`));
      expect([rowsIn(table).length, read(table).split("\n", 1)[0]?.split(",").sort()], table).toEqual([20, expected.sort()]);
    }
  });

  it("describe a country that has rules and no sample data, so that loading them replaces nothing", () => {
    expect(new Set(TABLES.flatMap((table) => valuesOf(table, "country_code")))).toEqual(new Set(["LTU"]));
    expect(Object.keys(SAMPLE_PLACES)).not.toContain("LTU");
  });

  it("have no more devices that stayed than devices", () => {
    for (const table of ["activities_hourly", "activities_daily"]) {
      const [devices, stayed] = [valuesOf(table, "devices").map(Number), valuesOf(table, "stays_devices").map(Number)];
      expect(stayed.filter((count, index) => count > (devices[index] ?? 0))).toEqual([]);
    }
  });

  it("have cells of the country's grid, at the places that their ids say", () => {
    const types = valuesOf("geographies", "geo_type");
    const ids = valuesOf("geographies", "geo_id").map(Number);
    const [lons, lats] = [valuesOf("geographies", "lon").map(Number), valuesOf("geographies", "lat").map(Number)];
    const kilometre = ids[types.indexOf("grid_1000m")];
    const cells = ids.filter((_, index) => types[index] === "grid_250m");
    expect(cells).toHaveLength(16);
    for (const [index, id] of ids.entries()) {
      const side = types[index] === "grid_250m" ? 250 : 1000;
      if (!types[index]?.startsWith("grid")) continue;
      expect(cellAt(grid, project(grid.crs, [lons[index] ?? 0, lats[index] ?? 0]), side)).toBe(id);
      expect(cellAt(grid, cellCorner(grid, id), 1000)).toBe(kilometre);
    }
    const covered = new Set(valuesOf("geography_cells", "cell_id").map(Number));
    expect([...covered].sort()).toEqual([...cells].sort());
    expect(valuesOf("presence", "cell_id").map(Number)).toEqual(expect.arrayContaining(cells));
    const links = new Set(valuesOf("road_links", "link_id"));
    expect(valuesOf("flows_hourly", "link_id").filter((link) => !links.has(link))).toEqual([]);
  });
});

describe("loaded one after the other", () => {
  let warehouse: ImportUnderTest;
  const lines: Record<string, string[]> = {};
  const load = (table: string, file: string): Promise<string[]> =>
    warehouse.run(table, "--file", file, "--countries", RULES, ...more(table));
  const count = async (table: Table): Promise<unknown> => {
    const [loaded, published] = storedOf(table).map((rows) => `(SELECT COUNT(*) FROM ${rows})`);
    return warehouse.rows(`SELECT ${loaded} AS loaded, ${published} AS published`);
  };
  const stored: Record<string, unknown> = {};

  beforeAll(async () => {
    warehouse = await startImportUnderTest(() => NOW);
    for (const table of TABLES) {
      lines[table] = await load(table, `${FOLDER}${table}.csv`);
      stored[table] = await count(table);
    }
  });
  afterAll(() => warehouse.close());

  it.each(TABLES)("%s is accepted without a warning", (table) => {
    const said = lines[table]?.slice(1) ?? [];
    expect(said.slice(0, 2)).toEqual(["20 rows, 1 batch", expect.stringMatching(/^Loaded \S+ .*LTU: 20 rows/)]);
    expect(said.slice(2)).toEqual(
      table in PUBLISHED ? [expect.stringMatching(`^Raw rows stay in intake for 14 days; mobility.${table} has`)] : [],
    );
  });

  it.each(TABLES)("%s has 20 rows, and of facts and ticks those published that are not of few devices", (table) => {
    expect(stored[table]).toEqual([{ loaded: 20, published: PUBLISHED[table] ?? (table === "presence" ? 19 : 20) }]);
  });

  it.each(TABLES)("%s keeps its rows when a corrected file is faulty", async (table) => {
    const faulty = madeFile("faulty.csv", `${read(table)}LTU,1\n`);
    await expect(load(table, faulty)).rejects.toThrow("line 22: 2 values where the header has");
    expect(await count(table)).toEqual(stored[table]);
    expect(await warehouse.rows(`SELECT MAX(version) AS version FROM mobility.batches WHERE table_name = '${table}'`)).toEqual([
      { version: 1 },
    ]);
  });

  it.each(TABLES)("%s keeps its rows when a load fails halfway", async (table) => {
    // The newest version has no successor, so the last statement of the load's transaction fails.
    await warehouse.rows(
      `UPDATE ${table === "presence" ? "intake" : "mobility"}.batches SET version = 9223372036854775807 WHERE table_name = '${table}'`,
    );
    const [header = "", ...rows] = read(table).trimEnd().split("\n");
    await expect(load(table, madeFile("shorter.csv", `${[header, ...rows.slice(0, 10)].join("\n")}\n`))).rejects.toThrow();
    expect(await count(table)).toEqual(stored[table]);
  });
});

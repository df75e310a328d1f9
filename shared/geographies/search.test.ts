import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery, type Warehouse } from "../google/bigquery.ts";
import { rowsOf } from "../google/statement.ts";
import { wktExtent } from "../publishing/wkt-extent.ts";
import { GEOMETRY_CHARACTERS_MAX, type GeographyFilters } from "./find.ts";
import { searchGeographies } from "./search.ts";

const COUNT = 12;
const IDS = Array.from({ length: COUNT }, (_, index) => index + 1);
const AREAS: GeographyFilters = { country: "NOR", geoType: "admin_level_4" };
/** A box that squares touch, and angles only go around: the warehouse, which compares extents, finds both. */
const BOX = [9, 61, 11, 62] as const;
const SQUARE = "4 60, 12 60, 12 63, 4 63";
const ANGLE = "4 60, 12 60, 12 60.1, 4.1 60.1, 4.1 63, 4 63";

let server: WarehouseUnderTest;
/** The characters of geometry that each query has answered. */
const answered: number[] = [];

beforeAll(async () => {
  const ddl = readFileSync(new URL("../../infra/warehouse/geographies.sql", import.meta.url), "utf8");
  server = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA mobility;\n${ddl}` });
});

afterAll(async () => {
  await server.close();
});

const warehouse: Pick<Warehouse, "query"> = {
  query: async (statement) => {
    const [rows] = await server.client.query({ ...clientQuery(statement), wrapIntegers: false });
    answered.push(rows.reduce((sum, { geometry }) => sum + (geometry?.length ?? 0), 0));
    return rowsOf(statement, rows);
  },
};

/** Replaces the areas by twelve with geometries of so many characters or a few less: odd ids are angles, even ones squares. */
async function hold(characters: (id: number) => number): Promise<void> {
  const rows = IDS.map((id): readonly [id: number, geometry: string] => {
    const corners = id % 2 === 0 ? SQUARE : ANGLE;
    // The first corner as often as fits.
    const again = "4 60, ".repeat(Math.max(0, Math.floor((characters(id) - 80) / 6)));
    return [id, `POLYGON((${again}${corners}, 4 60))`];
  });
  await server.client.query("DELETE FROM mobility.geographies WHERE TRUE");
  // Some are longer than the text of a query may be.
  for (const [id, geometry] of rows)
    await server.client.query({
      query: `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry)
VALUES ('NOR', 'admin_level_4', ${id}, 'Area ${id}', 5.0, 60.0, @geometry)`,
      params: { geometry },
    });
}

/** Stores the extents of all areas, as a load does. */
async function storeExtents(): Promise<void> {
  const values = Object.entries(wktExtent("geometry")).map(([side, value]) => `${side} = ${value}`);
  await server.client.query(`UPDATE mobility.geographies SET ${values.join(", ")} WHERE TRUE`);
}

/** Returns the ids of each page, to the last one. */
async function pages(filters: GeographyFilters, limit: number): Promise<number[][]> {
  const found: number[][] = [];
  for (let after: number | undefined; ; ) {
    const { rows, nextAfter } = await searchGeographies(warehouse, filters, after, limit, "acme");
    found.push(rows.map(({ geo_id }) => geo_id));
    if (nextAfter === undefined) return found;
    after = nextAfter;
  }
}

describe("pages of geographies", () => {
  it("have as many as fit, and no query answers much more than a page", async () => {
    const third = Math.floor(GEOMETRY_CHARACTERS_MAX / 3);
    await hold(() => third);
    answered.length = 0;
    expect(await pages(AREAS, 100)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
      [10, 11, 12],
    ]);
    expect(Math.max(...answered)).toBeLessThan(GEOMETRY_CHARACTERS_MAX + 2 * third);
    expect(await pages(AREAS, 2)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
      [9, 10],
      [11, 12],
    ]);
  });

  it("have one that does not fit alone, with what follows on the next page", async () => {
    await hold((id) => ([1, 6, 12].includes(id) ? GEOMETRY_CHARACTERS_MAX + 1000 : 100));
    expect(await pages(AREAS, 100)).toEqual([[1], [2, 3, 4, 5], [6], [7, 8, 9, 10, 11], [12]]);
  });

  it("have those that touch a box, however much the others between them hold", async () => {
    await hold((id) => (id % 2 === 0 ? 100 : GEOMETRY_CHARACTERS_MAX / 2 - 200));
    answered.length = 0;
    expect(await pages({ ...AREAS, bbox: [...BOX] }, 100)).toEqual([[2, 4, 6, 8, 10, 12]]);
    expect(answered.length).toBeGreaterThan(1);
  });

  it.each([
    ["meets the outlines", BOX, [2, 4, 6, 8, 10, 12]],
    ["has the corner of the extents", [12, 63, 13, 64], [2, 4, 6, 8, 10, 12]],
    ["lies east of them", [12.001, 60, 13, 64], []],
    ["lies west of them", [3, 60, 3.999, 64], []],
    ["lies north of them", [4, 63.001, 12, 64], []],
    ["lies south of them", [4, 59, 12, 59.999], []],
  ] as const)(
    "are the same for a box that %s, whether a load has stored extents or an earlier release has not",
    async (_where, box, ids) => {
      await hold(() => 100);
      const filters = { ...AREAS, bbox: [...box] } as const;
      expect((await pages(filters, 100)).flat()).toEqual(ids);
      await storeExtents();
      expect((await pages(filters, 100)).flat()).toEqual(ids);
      // What is stored counts: no text of 300 KB is read for it.
      await server.client.query("UPDATE mobility.geographies SET west = 100, east = 101 WHERE TRUE");
      expect((await pages(filters, 100)).flat()).toEqual([]);
    },
  );
});

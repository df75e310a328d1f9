import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery, type Warehouse } from "../google/bigquery.ts";
import { onlyRow, rowsOf } from "../google/statement.ts";
import type { ActivitiesRequest } from "../products/activities.ts";
import { openRequest } from "../products/catalogue.ts";
import { parseCountryTable } from "../products/countries.ts";
import { geographiesInBox } from "../products/geographies-in-box.ts";
import type { OdmRequest } from "../products/odm.ts";
import { previewOf } from "./preview.ts";

const { EST } = parseCountryTable("infra/countries.json", builtIn);
const MATRIX: OdmRequest = {
  ...{ agg_type: "odm", country_code: "EST", measure: "trips", activity_type: "daily", full: false, format: "csv" },
  ...{ origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", origin_geo_ids: [1], destination_geo_ids: null },
  ...{ start_time: "2026-01-09T22:00:00.000Z", end_time: "2026-01-10T22:00:00.000Z" },
};

let server: WarehouseUnderTest;
let warehouse: Pick<Warehouse, "query" | "queryOne">;

beforeAll(async () => {
  const ddl = ["datasets", "geographies", "odm_daily", "activities_hourly", "batches"].map((name) =>
    readFileSync(`infra/warehouse/${name}.sql`, "utf8"),
  );
  server = await startWarehouseUnderTest({ ddl: ddl.join("\n") });
  const query: Warehouse["query"] = async (statement) => rowsOf(statement, (await server.client.query(clientQuery(statement)))[0]);
  warehouse = { query, queryOne: async (statement, labels) => onlyRow(await query(statement, labels)) };
  await server.client.query(`INSERT INTO mobility.batches (country_code, table_name, batch_date, version, row_count, loaded_at)
    VALUES ("EST", "odm_daily", "2026-01-10", 1, 0, TIMESTAMP "2026-01-11")`);
});

afterAll(() => server?.close());

describe("the preview of a matrix with more pairs than it shows", () => {
  const trips = (id: number): number => 10 + (id % 7);

  beforeAll(async () => {
    await server.client.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat)
      VALUES ("EST", "grid_1000m", 1, "origin", 20, 50)`);
    await server.client.query(`INSERT INTO mobility.odm_daily
      (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips)
      SELECT "EST", DATE "2026-01-10", "grid_1000m", 1, "grid_1000m", id, 10 + MOD(id, 7)
      FROM UNNEST(GENERATE_ARRAY(1, 5400)) AS id`);
  });

  it("has the 5,000 largest published pairs, ties by id, and says so", async () => {
    const prepared = EST && openRequest(MATRIX, EST);
    if (!prepared) throw new Error("Estonia has a matrix");
    const answer = await previewOf(prepared, { warehouse, labels: { customer: "all" }, turn: async () => undefined });
    const ids = Array.from({ length: 5400 }, (_, index) => index + 1);
    const expected = ids.toSorted((a, b) => trips(b) - trips(a) || a - b).slice(0, 5000);
    expect(answer).toMatchObject({
      truncated: true,
      meta: { suppressed_rows: null },
      warnings: [{ code: "rows_left_out", detail: "Only the 5,000 largest of 5,400 rows are shown; a job has all of them" }],
      results: expected.map((id) => ({ destination_geo_id: id, trips: trips(id) })),
    });
  });
});

describe("the turn of a preview", () => {
  const HOURS: ActivitiesRequest = {
    ...{ agg_type: "activities", country_code: "EST", measure: "stays_count", activity_type: "hourly", full: false, format: "csv" },
    ...{ geo_type: "grid_1000m", start_time: "2026-01-09T22:00:00.000Z", end_time: "2026-01-10T22:00:00.000Z" },
    geo_ids: null,
  };
  const some = (count: number) => Array.from({ length: count }, (_, index) => 1 + index);

  it.each([
    { of: "416 geographies by the hour", request: { ...HOURS, geo_ids: some(416) }, steps: ["query"] },
    { of: "417 geographies by the hour", request: { ...HOURS, geo_ids: some(417) }, steps: ["turn", "query"] },
    { of: "an uncounted number of them", request: HOURS, steps: ["turn", "query"] },
    { of: "any number of pairs, which shows 5,000", request: MATRIX, steps: ["query"] },
  ])("comes before its query if it may show more than 10,000 rows: $of", async ({ request, steps }) => {
    const prepared = EST && openRequest(request, EST);
    if (!prepared) throw new Error("Estonia has both products");
    const taken: string[] = [];
    const queryOne: Warehouse["queryOne"] = (query, labels) => {
      taken.push("query");
      return warehouse.queryOne(query, labels);
    };
    await previewOf(prepared, { warehouse: { queryOne }, labels: { customer: "all" }, turn: async () => void taken.push("turn") });
    expect(taken).toEqual(steps);
  });
});

describe("the geographies in a box", () => {
  // Triangles in rows of 100, 0.001 degrees apart, and a slanted one whose extent is large.
  beforeAll(async () => {
    await server.client.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry)
      SELECT "EST", "grid_1000m", id, "cell", CAST(x AS FLOAT64), CAST(y AS FLOAT64),
        CONCAT("POLYGON((", x, " ", y, ", ", x, "9 ", y, ", ", x, "9 ", y, "9, ", x, " ", y, "))")
      FROM (SELECT id, FORMAT("24.%03d", MOD(id, 100)) AS x, FORMAT("58.%03d", DIV(id, 100) - 1) AS y FROM UNNEST(GENERATE_ARRAY(100, 5100)) AS id)`);
    await server.client.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry) VALUES
      ("EST", "admin_level_2", 1, "slanted", 24.5, 58.5, "POLYGON((24 58, 25 59, 25 59.1, 24 58))"),
      ("EST", "admin_level_2", 2, "no shape", 24.9, 58.1, NULL), ("EST", "admin_level_2", 3, "far", 24.9, 59.4, NULL)`);
  });
  const cells = { country_code: "EST", geo_type: "grid_1000m" } as const;

  it("are those that touch it, ascending, with the edges", async () => {
    expect(await geographiesInBox({ ...cells, bbox: [24.0015, 58.0005, 24.003, 58.001] }, warehouse, { customer: "all" })).toEqual([
      101, 102, 201, 202, 203,
    ]);
    expect(await geographiesInBox({ ...cells, bbox: [20, 57, 21, 58] }, warehouse, { customer: "all" })).toEqual([]);
  });

  it("are told by their shapes, not by their extents; one without a shape by its centroid", async () => {
    const areas = { country_code: "EST", geo_type: "admin_level_2" } as const;
    expect(await geographiesInBox({ ...areas, bbox: [24.8, 58, 25, 58.2] }, warehouse, { customer: "all" })).toEqual([2]);
    expect(await geographiesInBox({ ...areas, bbox: [24.4, 58.3, 24.6, 58.6] }, warehouse, { customer: "all" })).toEqual([1]);
    expect(await geographiesInBox({ ...areas, bbox: [23, 57, 26, 60] }, warehouse, { customer: "all" })).toEqual([1, 2, 3]);
  });

  it("are at most 5,000; the error says how many there are", async () => {
    expect(await geographiesInBox({ ...cells, bbox: [24, 58, 24.0999, 58.0499] }, warehouse, { customer: "all" })).toHaveLength(5000);
    await expect(geographiesInBox({ ...cells, bbox: [24, 58, 25, 59] }, warehouse, { customer: "all" })).rejects.toMatchObject({
      code: "invalid_argument",
      errors: [
        {
          pointer: "/bbox",
          detail: expect.stringMatching(/^reaches 5,001 geographies of grid_1000m, .* at most 5,000: send a smaller box/),
        },
      ],
    });
  });

  describe("whose outlines are long", () => {
    const areas = { country_code: "EST", geo_type: "admin_level_4" } as const;
    /** Along the southern edge of the extents, which only the areas with odd ids have a point on. */
    const edge = [24, 57.9, 30, 58.05] as const;

    /** Replaces the areas: so many, each with so many first corners. */
    const hold = async (count: number, corners: number): Promise<void> => {
      await server.client.query(`DELETE FROM mobility.geographies WHERE geo_type = "admin_level_4"`);
      await server.client.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry)
        SELECT "EST", "admin_level_4", id, "long", 24.5, 58.5, CONCAT("POLYGON((",
          IF(MOD(id, 2) = 1, CONCAT(REPEAT("24 58, ", ${corners}), "24 58, 25 58, 25 59, 24 59, 24 58"),
            CONCAT(REPEAT("24.5 58.1, ", ${corners}), "24.5 58.1, 25 59, 24 58.9, 24.5 58.1")), "))")
        FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS id`);
      // The extents of those with even ids are too large, so that their outlines are looked at.
      await server.client.query(
        `UPDATE mobility.geographies SET west = 24, south = 58, east = 25, north = 59 WHERE geo_type = "admin_level_4"`,
      );
    };

    it("are told by their shapes, in answers of no more than a MiB of outlines and one outline", async () => {
      await hold(9, 60_000);
      const answered: number[] = [];
      const metered: Pick<Warehouse, "query"> = {
        query: async (query, labels) => {
          const rows = await warehouse.query(query, labels);
          answered.push(JSON.stringify(rows).length);
          return rows;
        },
      };
      expect(await geographiesInBox({ ...areas, bbox: [...edge] }, metered, { customer: "all" })).toEqual([1, 3, 5, 7, 9]);
      expect(answered.length).toBeGreaterThan(2);
      expect(Math.max(...answered)).toBeLessThan(2 * 2 ** 20);
      expect(await geographiesInBox({ ...areas, bbox: [23, 57, 26, 60] }, metered, { customer: "all" })).toHaveLength(9);
    });

    it("are refused if their outlines are more than 32 MiB; the error says how much they are", async () => {
      await hold(60, 80_000);
      await expect(geographiesInBox({ ...areas, bbox: [...edge] }, warehouse, { customer: "all" })).rejects.toMatchObject({
        code: "invalid_argument",
        errors: [
          {
            pointer: "/bbox",
            detail: expect.stringMatching(
              /^its border crosses outlines of 42 MiB, and a preview looks at no more than 32 MiB: send a smaller box/,
            ),
          },
        ],
      });
      expect(await geographiesInBox({ ...areas, bbox: [23, 57, 26, 60] }, warehouse, { customer: "all" })).toHaveLength(60);
    });
  });
});

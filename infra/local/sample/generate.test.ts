import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { makeTables } from "../tables.ts";
import { makePlaces } from "./dimensions.ts";
import { generateSample } from "./generate.ts";
import { generatePresence } from "./presence.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/** Six days around the end of summer time in all three countries, 2026-10-25. */
const OPTIONS = { seed: 7, now: new Date("2026-10-29T13:20:00Z"), scale: 0.25, days: 6 };
const FACTS = ["activities_hourly", "activities_daily", "odm_daily", "flows_hourly"];
const RAW = [...FACTS, "presence"].map((table) => `intake.${table}`);
const PUBLISHED = [...FACTS.map((table) => `mobility.${table}`), "realtime.presence"];
const PLACES = ["geographies", "geography_cells", "road_links", "coverage"].map((table) => `mobility.${table}`);
const TABLES = [...RAW, ...PUBLISHED, ...PLACES, "intake.nesting", "intake.batches", "mobility.batches"];
/** The columns that tell rows apart. */
const KEYS: Readonly<Record<string, string>> = {
  activities_hourly: "country_code, geo_type, geo_id, time_bucket",
  activities_daily: "country_code, geo_type, geo_id, batch_date",
  odm_daily: "country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id",
  flows_hourly: "country_code, link_id, time_bucket, direction",
  presence: "tick, country_code, cell_id",
  geographies: "country_code, geo_type, geo_id",
};
const keyOf = (table: string): string => KEYS[table.replace(/^\w+\./, "")] ?? "";
/** The threshold of a row's country. */
const K = `CASE country_code ${SAMPLE_COUNTRIES.map(({ code, k }) => `WHEN '${code}' THEN ${k}`).join(" ")} END`;

interface Sample {
  readonly warehouse: WarehouseUnderTest;
  readonly connection: DuckDBConnection;
  /** The rows of a DuckDB query, numbers beyond 2^53 as texts. */
  rows(sql: string): Promise<unknown[][]>;
}

async function emptySample(): Promise<Sample> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  return { warehouse, connection, rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() };
}

/** Returns the number of rows of each table and a sum of hashes that includes every value. */
async function contents({ rows }: Sample): Promise<Record<string, unknown>> {
  const sums: [string, unknown][] = [];
  for (const table of TABLES) {
    const [row] = await rows(`SELECT count(*), sum(hash(content::VARCHAR) >> 20)::VARCHAR FROM ${table} AS content`);
    sums.push([table, row]);
  }
  return Object.fromEntries(sums);
}

let sample: Sample;

beforeAll(async () => {
  sample = await emptySample();
  await generateSample(sample.connection, OPTIONS);
});

afterAll(() => sample.warehouse.close());

/** Counts the rows that break a rule: 0 if the rule holds. `checked` is false if there are no rows, so that an empty check fails. */
async function broken(from: string, rule: string): Promise<{ checked: boolean; broken: unknown }> {
  const [row = []] = await sample.rows(`SELECT count(*) > 0, count(*) FILTER (WHERE (${rule}) IS NOT TRUE) FROM ${from}`);
  return { checked: row[0] === true, broken: Number(row[1]) };
}
const HOLDS = { checked: true, broken: 0 };

describe("the same options", () => {
  test("give the same rows, and another seed gives different rows", async () => {
    const again = await emptySample();
    await generateSample(again.connection, OPTIONS);
    expect(await contents(again)).toEqual(await contents(sample));
    await again.warehouse.close();

    const other = await emptySample();
    await generateSample(other.connection, { ...OPTIONS, seed: 8 });
    const [theirs, ours] = [await contents(other), await contents(sample)];
    for (const table of [...RAW, ...PUBLISHED]) expect(theirs[table], table).not.toEqual(ours[table]);
    await other.warehouse.close();
  });

  test("make each geography once, also where two countries' cells share a corner", async () => {
    const { connection, rows, warehouse } = await emptySample();
    await makePlaces(connection, { seed: 42, scale: 1 });
    const touch = "a.country < b.country AND abs(a.km_east - b.km_east) <= 1000 AND abs(a.km_north - b.km_north) <= 1000";
    expect(await rows(`SELECT count(*) > 0 FROM sample_cells AS a JOIN sample_cells AS b ON ${touch}`)).toEqual([[true]]);
    const twice = "SELECT count(*) - count(DISTINCT (country_code, geo_type, geo_id)) FROM sample_geographies";
    expect(await rows(twice)).toEqual([["0"]]);
    expect(await rows("SELECT (SELECT count(*) FROM sample_nesting) - (SELECT count(*) FROM sample_cells)")).toEqual([["0"]]);
    await warehouse.close();
  });

  test.each([
    [{ seed: 1.5, scale: 1 }, /seed must be a whole number/],
    [{ seed: -1, scale: 1 }, /seed must be a whole number/],
    [{ seed: 1, scale: 0 }, /scale must be from 0.05 to 100/],
    [{ seed: 1, scale: Number.NaN }, /scale must be from 0.05 to 100/],
  ])("%o are rejected and leave the tables empty", async (size, message) => {
    const empty = await emptySample();
    await expect(generateSample(empty.connection, { ...OPTIONS, ...size })).rejects.toThrow(message);
    expect(await empty.rows("SELECT count(*)::INTEGER FROM mobility.geographies")).toEqual([[0]]);
    await empty.warehouse.close();
  });
});

describe("every fact", () => {
  test.each(PUBLISHED)("in %s is of a raw row with at least k devices of its country; others are withheld", async (table) => {
    const raw = `intake.${table.replace(/^\w+\./, "")}`;
    const rows = `${table} AS told LEFT JOIN (SELECT ${keyOf(table)}, devices FROM ${raw}) AS raw USING (${keyOf(table)})`;
    expect(await broken(rows, `devices >= ${K}`)).toEqual(HOLDS);
    const [[told, all] = []] = await sample.rows(`SELECT (SELECT count(*) FROM ${table})::INTEGER, (SELECT count(*) FROM ${raw})::INTEGER`);
    expect(Number(told)).toBeLessThan(Number(all));
  });

  test.each(["activities_hourly", "activities_daily"])("of %s has an existing geography", async (table) => {
    const known = `(country_code, geo_type, geo_id) IN (SELECT (country_code, geo_type, geo_id) FROM mobility.geographies)`;
    expect(await broken(`mobility.${table}`, known)).toEqual(HOLDS);
  });

  test("of odm_daily connects existing geographies at the levels of the country's rules", async () => {
    const known = (side: string): string =>
      `(country_code, ${side}_geo_type, ${side}_geo_id) IN (SELECT (country_code, geo_type, geo_id) FROM mobility.geographies)`;
    expect(await broken("mobility.odm_daily", `${known("origin")} AND ${known("destination")}`)).toEqual(HOLDS);
    const levels = await sample.rows(
      "SELECT country_code, string_agg(DISTINCT origin_geo_type, ' ' ORDER BY origin_geo_type) FROM mobility.odm_daily GROUP BY 1 ORDER BY 1",
    );
    expect(levels).toEqual([
      ["EST", "grid_1000m"],
      ["LAT", "admin_level_2 admin_level_4 grid_1000m grid_250m"],
      ["NOR", "admin_level_2 admin_level_4 grid_1000m grid_250m osm_links"],
    ]);
  });

  test("of flows_hourly is on an existing road link", async () => {
    expect(
      await broken("mobility.flows_hourly", "(country_code, link_id) IN (SELECT (country_code, link_id) FROM mobility.road_links)"),
    ).toEqual(HOLDS);
  });

  test.each(FACTS)("of %s is published in the order of the days, so that a query of a day reads few blocks", async (table) => {
    const days = `(SELECT batch_date, lag(batch_date, 1, batch_date) OVER (ORDER BY rowid) AS before FROM mobility.${table})`;
    expect(await broken(days, "before <= batch_date")).toEqual(HOLDS);
  });

  test("has a unique key", async () => {
    for (const table of [...RAW, ...PUBLISHED, "mobility.geographies"])
      expect(await broken(`(SELECT count(*) AS n FROM ${table} GROUP BY ${keyOf(table)})`, "n = 1"), table).toEqual(HOLDS);
  });
});

describe("unique people are not additive", () => {
  test("a day has at least as many as its busiest hour and fewer than the sum of its hours", async () => {
    const hours = `(SELECT country_code, geo_type, geo_id, batch_date, max(devices) AS most, sum(devices) AS total, count(*) AS hours
      FROM intake.activities_hourly GROUP BY ALL) JOIN intake.activities_daily AS day USING (country_code, geo_type, geo_id, batch_date)`;
    expect(await broken(`${hours} WHERE hours > 1`, "day.devices BETWEEN most AND total - 1")).toEqual(HOLDS);
  });

  test("an area has at least as many as its busiest part and at most the sum of its parts", async () => {
    const areas = `(SELECT part.country_code, parent.parent_id, part.time_bucket, max(part.devices) AS most, sum(part.devices) AS total, any_value(area.devices) AS devices
      FROM intake.activities_hourly AS part
      JOIN mobility.geographies AS parent ON parent.country_code = part.country_code AND parent.geo_type = 'grid_1000m' AND parent.geo_id = part.geo_id
      JOIN intake.activities_hourly AS area ON area.country_code = part.country_code AND area.geo_type = 'admin_level_4'
        AND area.geo_id = parent.parent_id AND area.time_bucket = part.time_bucket
      WHERE part.geo_type = 'grid_1000m' GROUP BY ALL)`;
    expect(await broken(areas, "devices BETWEEN most AND total")).toEqual(HOLDS);
  });
});

describe("coverage", () => {
  test("is the whole land of each country, to one in a hundred, and has every inhabited cell", async () => {
    const cells = await sample.rows(
      `SELECT country_code, sum((last_cell_id - first_cell_id) // 2500000000 + 1)::DOUBLE / 16 FROM mobility.coverage GROUP BY ALL ORDER BY ALL`,
    );
    // The land in square kilometres, with lakes.
    for (const [index, land] of [45_300, 64_600, 323_800].entries())
      expect(Math.abs(Number(cells[index]?.[1]) / land - 1), String(cells[index]?.[0])).toBeLessThan(0.02);
    const covered = `mobility.geography_cells AS cells WHERE geo_type = 'grid_250m'`;
    expect(
      await broken(
        covered,
        `EXISTS (SELECT 1 FROM mobility.coverage AS runs WHERE runs.country_code = cells.country_code
          AND northing = cell_id % 10000000 AND cell_id BETWEEN first_cell_id AND last_cell_id)`,
      ),
    ).toEqual(HOLDS);
  });

  test("has a cell of every area, also of those where nobody lives", async () => {
    expect(
      await broken(
        "mobility.geographies AS areas WHERE geo_type LIKE 'admin%'",
        `EXISTS (SELECT 1 FROM mobility.geography_cells AS cells WHERE cells.country_code = areas.country_code AND cells.geo_type = areas.geo_type
          AND cells.geo_id = areas.geo_id)`,
      ),
    ).toEqual(HOLDS);
  });
});

describe("time", () => {
  test("covers whole civil days, with 25 hours on the day when summer time ends, up to the last whole hour", async () => {
    const days = await sample.rows(`SELECT DISTINCT country_code, batch_date::VARCHAR, count(DISTINCT time_bucket)::INTEGER
      FROM mobility.activities_hourly GROUP BY ALL ORDER BY ALL`);
    const expected = ["EST", "LAT", "NOR"].flatMap((country) =>
      // Civil days 23 to 29. Today has the whole hours since midnight: until 15:00 in Tallinn and Riga, until 14:00 in Oslo.
      [24, 24, 25, 24, 24, 24, country === "NOR" ? 14 : 15].map((hours, index) => [country, `2026-10-${23 + index}`, hours]),
    );
    expect(days).toEqual(expected);
  });

  test("has only finished days in the daily tables", async () => {
    for (const table of ["activities_daily", "odm_daily"])
      expect(await sample.rows(`SELECT max(batch_date)::VARCHAR FROM mobility.${table}`), table).toEqual([["2026-10-28"]]);
  });
});

describe("the ledger", () => {
  test.each(["intake", "mobility"].flatMap((dataset) => FACTS.map((table) => [dataset, table])))(
    "of %s records the rows of each batch of %s",
    async (dataset, table) => {
      const batches = `(SELECT country_code, batch_date, count(*) AS n FROM ${dataset}.${table} GROUP BY ALL) AS held
        FULL JOIN (SELECT * FROM ${dataset}.batches WHERE table_name = '${table}') AS ledger USING (country_code, batch_date)`;
      expect(await broken(batches, "n = row_count AND version = 1")).toEqual(HOLDS);
    },
  );
});

describe("a tick of presence", () => {
  test("is added once, with its rows in the ledger", async () => {
    const next = { seed: 7, scale: 0.25, tick: new Date("2026-10-29T13:27:00Z") };
    await generatePresence(sample.connection, next);
    const state = "SELECT max(tick)::VARCHAR, count(*)::INTEGER FROM intake.presence";
    const once = await sample.rows(state);
    await generatePresence(sample.connection, next);
    expect(await sample.rows(state)).toEqual(once);
    expect(String(once[0]?.[0])).toContain("2026-10-29 13:25:00");
    for (const [rows, batches] of [
      ["intake.presence", "intake.batches"],
      ["realtime.presence", "mobility.batches"],
    ]) {
      const counted = `(SELECT country_code, tick, count(*) AS n FROM ${rows} GROUP BY ALL)
        FULL JOIN (SELECT * FROM ${batches} WHERE table_name = 'presence') AS ledger USING (country_code, tick)`;
      expect(await broken(counted, "n = row_count"), rows).toEqual(HOLDS);
    }
  });
});

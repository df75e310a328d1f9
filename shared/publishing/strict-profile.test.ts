import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";
import { loadStatement } from "./load.ts";
import { nestingStatements } from "./nesting-statements.ts";

const DAY = "2026-03-01";
const CELLS = 60;
const K = 5;
/** The 250 m cells of four squares of a kilometre. */
const IDS = Array.from({ length: CELLS }, (_, index) => 51520004124000 + (index % 4) * 2500000000 + Math.floor(index / 4) * 250);
const KILOMETRES = [...new Set(IDS.map((id) => id - (id % 1000)))];

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const areas = [
    ...IDS.map((id) => `('EST', 'grid_250m', ${id}, 'cell', 4, 25, 59)`),
    ...KILOMETRES.map((id) => `('EST', 'grid_1000m', ${id}, 'kilometre', 4, 25, 59)`),
  ];
  await loads.run(
    `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${areas.join(", ")}`,
  );
  const { countries } = await loads.stage("activities_hourly", [hour("grid_250m", IDS[0] ?? 0, 9)]);
  for (const sql of nestingStatements(countries))
    await loads.run({ sql, parameters: { country_0: { type: "STRING", value: "EST" }, finest_0: { type: "INT64", value: 0 } } });
  const links = [...Array.from({ length: K + 1 }, (_, index) => [index + 1, "primary"]), [11, "motorway"], [12, "motorway"]];
  const rows = links.map(([id, road]) => `('EST', ${id}, 'street', '${road}', ST_GEOGFROMTEXT('LINESTRING(25 59, 25.1 59)'))`);
  await loads.run(`INSERT INTO mobility.road_links (country_code, link_id, name, class, geometry) VALUES ${rows.join(", ")}`);
});

afterAll(() => loads.close());

const hour = (type: string, id: number, devices: number): LoadedRow => ({
  ...{ country_code: "EST", batch_date: DAY, time_bucket: `${DAY} 10:00:00`, geo_type: type, geo_id: id },
  ...{ people: devices * 4, stays_count: devices, stays_devices: devices, devices },
});

const flow = (link: number, direction: number, devices: number): LoadedRow => ({
  ...{ country_code: "EST", batch_date: DAY, time_bucket: `${DAY} 10:00:00` },
  ...{ link_id: link, direction, people: devices * 4, devices },
});

/** Loads rows of a country with the strict profile. */
async function load(table: string, rows: readonly LoadedRow[]): Promise<void> {
  const staged = await loads.stage(table, rows);
  await loads.run(loadStatement({ ...staged, countries: staged.countries.map((country) => ({ ...country, step: 40, isStrict: true })) }));
}

describe("in a country with the strict profile", () => {
  it("hours of the finest type are not published; coarser hours and days are, decided from them, in steps of 2k devices", async () => {
    const cells = IDS.slice(0, 3).map((id) => hour("grid_250m", id, 13));
    const kilometre = hour("grid_1000m", KILOMETRES[0] ?? 0, 39);
    await load(
      "activities_daily",
      [...cells, kilometre].map((row) => ({ ...row, time_bucket: "2026-02-28 22:00:00" })),
    );
    await load("activities_hourly", [...cells, kilometre]);
    const publishedOf = (table: string) =>
      loads.run(
        `SELECT geo_type, COUNT(*) AS number, SUM(people) AS people, SUM(stays_devices) AS stayed FROM mobility.${table} WHERE batch_date = '${DAY}' GROUP BY geo_type ORDER BY geo_type`,
      );
    expect(await publishedOf("activities_hourly")).toEqual([{ geo_type: "grid_1000m", number: 1, people: 160, stayed: 30 }]);
    expect(await publishedOf("activities_daily")).toEqual([
      { geo_type: "grid_1000m", number: 1, people: 160, stayed: 30 },
      { geo_type: "grid_250m", number: 3, people: 120, stayed: 30 },
    ]);
    expect(await loads.run("SELECT table_name, row_count FROM mobility.batches ORDER BY table_name")).toEqual([
      { table_name: "activities_daily", row_count: 4 },
      { table_name: "activities_hourly", row_count: 1 },
    ]);
  });

  it("nothing tells withheld rows from absent ones: no share of withheld people, whatever is absent", async () => {
    const shares = await loads.run(
      "SELECT DISTINCT table_name, withheld_people_percent AS share FROM mobility.batch_geo_types ORDER BY table_name",
    );
    expect(shares).toEqual([
      { table_name: "activities_daily", share: null },
      { table_name: "activities_hourly", share: null },
    ]);
  });

  it("flow is published by road class, of at least k told links: of no link, and in no direction", async () => {
    const primary = Array.from({ length: K }, (_, index) => [flow(index + 1, 1, 10), flow(index + 1, -1, 20)]).flat();
    await load("flows_hourly", [...primary, flow(K + 1, 1, 4), flow(11, 1, 90), flow(12, 1, 80)]);
    const rows = () =>
      loads.run(`SELECT link_id, direction, road_class, people FROM mobility.flows_hourly WHERE batch_date = '${DAY}' ORDER BY road_class`);
    expect(await rows()).toEqual([{ link_id: 0, direction: 0, road_class: "primary", people: K * 40 + K * 80 }]);
    // A road that is not told, or no longer, is not in the class.
    await load("flows_hourly", [...primary.slice(2), flow(1, 1, 4), flow(11, 1, 90)]);
    expect(await rows()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import countries from "../../infra/countries.json" with { type: "json" };
import { makeTables } from "../../infra/local/tables.ts";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import type { Target } from "../import/target.ts";
import type { AreaRules } from "./area-rules.ts";
import { auditCountry } from "./audit-country.ts";
import { readCountry, readDays, readUncounted } from "./read-dataset.ts";
import { openSolver, type Solver } from "./solver.ts";
import { DATE, ESTONIA, GEOGRAPHIES, plantedRows, STRICT } from "./testing/planted-day.ts";

let warehouse: WarehouseUnderTest;
let target: Target;
let solver: Solver;

const run = (sql: string): Promise<unknown> => warehouse.client.query(sql);
const insert = (table: string, columns: string, rows: readonly string[]): Promise<unknown> =>
  run(`INSERT INTO \`${table}\` (${columns}) VALUES ${rows.map((row) => `(${row})`).join(", ")}`);

const BATCH_COLUMNS = "country_code, table_name, batch_date, version, row_count, loaded_at";
/** The day after `DATE`: only its batch is there. */
const NEXT = "2026-03-02";

/** Estonia's rules with the strict profile. */
const COUNTRIES = { ...countries, STR: { ...countries.EST, name: "Strictland", aliases: [], profile: "strict" } };

/** Puts the planted town of a country into both datasets. */
async function plant(country: string, rules: AreaRules): Promise<void> {
  const places = GEOGRAPHIES.map(
    ({ geo_type, geo_id, parent_id }) => `"${country}", "${geo_type}", ${geo_id}, "n", ${parent_id ?? "NULL"}, 25, 59`,
  );
  await insert("mobility.geographies", "country_code, geo_type, geo_id, geo_name, parent_id, lon, lat", places);
  await insert("mobility.batches", BATCH_COLUMNS, [`"${country}", "activities_hourly", "${DATE}", 1, 20, "2026-03-02T00:00:00Z"`]);
  const columns = "country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, batch_date";
  const rows = plantedRows(rules);
  for (const table of ["activities_hourly", "activities_daily"]) {
    const own = rows.filter((row) => row.table === table);
    const values = ({ geoType, geoId, bucket }: (typeof rows)[number], people: number): string =>
      `"${country}", "${geoType}", ${geoId}, "${bucket}", ${people}, 0, 0, 0, "${DATE}"`;
    await insert(
      `intake.${table}`,
      `${columns}, devices, loaded_on`,
      own.map((row) => `${values(row, row.people)}, ${row.devices}, "${DATE}"`),
    );
    const told = own.filter(({ published }) => published > 0);
    await insert(
      `mobility.${table}`,
      columns,
      told.map((row) => values(row, row.published)),
    );
  }
}

/** Puts an hour of six links of a road class into both datasets: five told ones, published as one row, and one of 3 devices. */
async function plantFlow(): Promise<void> {
  const links = [6, 7, 8, 9, 10, 3].map((devices, index) => ({ id: index + 1, people: Math.floor(devices * 3.4), devices }));
  const road = 'ST_GEOGFROMTEXT("LINESTRING(25 59, 25.1 59)")';
  await insert(
    "mobility.road_links",
    "country_code, link_id, name, class, geometry",
    links.map(({ id }) => `"STR", ${id}, "n", "primary", ${road}`),
  );
  const hour = `"${DATE}T08:00:00Z"`;
  await insert(
    "intake.flows_hourly",
    "country_code, link_id, time_bucket, direction, people, devices, batch_date, loaded_on",
    links.map(({ id, people, devices }) => `"STR", ${id}, ${hour}, 1, ${people}, ${devices}, "${DATE}", "${DATE}"`),
  );
  await insert("mobility.flows_hourly", "country_code, link_id, time_bucket, direction, people, batch_date, road_class", [
    `"STR", 0, ${hour}, 0, ${5 * STRICT.step}, "${DATE}", "primary"`,
  ]);
}

beforeAll(async () => {
  solver = await openSolver();
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  target = { bigquery: warehouse.client, location: LOCATION, countries: parseCountryTable("infra/countries.json", COUNTRIES) };
  await plant("EST", ESTONIA);
  await plant("STR", STRICT);
  await plantFlow();
  const linkCells = [40000003000000, 40002503000000, 40010003000000];
  await insert(
    "mobility.geography_cells",
    "country_code, geo_type, geo_id, cell_id, weight",
    linkCells.map((cell) => `"EST", "osm_links", 7, ${cell}, 1`),
  );
  await insert("mobility.batches", BATCH_COLUMNS, [`"EST", "activities_hourly", "${NEXT}", 1, 20, "${NEXT}T00:00:00Z"`]);
});

afterAll(() => warehouse.close());

describe("an audit of a planted town in a warehouse", () => {
  const audit = async () => auditCountry(target, await readCountry(target, "EST"), DATE, true, solver);

  it("reads the days and the rules", async () => {
    expect([...(await readDays(target, 3, new Date()))]).toEqual([
      ["EST", [DATE, NEXT]],
      ["STR", [DATE]],
    ]);
    const { activities, placesOfLinks } = await readCountry(target, "EST");
    expect(activities).toEqual(ESTONIA);
    expect([...placesOfLinks]).toEqual([["osm_links/7", ["1/40000003000000", "1/40010003000000"]]]);
  });

  it("counts the geographies of the finest type in which nobody was counted, and names some", async () => {
    const lake = 40990003000000;
    await insert("mobility.geographies", "country_code, geo_type, geo_id, geo_name, lon, lat", [
      `"EST", "grid_1000m", ${lake}, "n", 25, 59`,
    ]);
    const { examples, ...counts } = await readUncounted(target, await readCountry(target, "EST"));
    const cells = GEOGRAPHIES.filter(({ geo_type: type }) => type === "grid_1000m").map(({ geo_id: id }) => id);
    const counted = new Set(plantedRows(ESTONIA).flatMap(({ geoId, devices }) => (devices > 0 ? [geoId] : [])));
    const empty = [...cells.filter((id) => !counted.has(id)), lake];
    expect(counts).toEqual({ country: "EST", geoType: "grid_1000m", geographies: cells.length + 1, uncounted: empty.length });
    expect(examples).toEqual(empty.slice(0, 5));
    await run(`DELETE FROM \`mobility.geographies\` WHERE geo_id = ${lake}`);
  });

  it("leaves out the current day, of which only the first hours are published, unless there is no other", async () => {
    const daysAt = async (now: string) => (await readDays(target, 3, new Date(now))).get("EST");
    // In Estonia a day begins two hours earlier than in UTC.
    expect(await daysAt(`${NEXT}T21:00:00Z`)).toEqual([DATE]);
    expect(await daysAt(`${NEXT}T22:30:00Z`)).toEqual([DATE, NEXT]);
    expect(await daysAt(`${DATE}T12:00:00Z`)).toEqual([DATE, NEXT]);
  });

  it("leaves out a day that was corrected, of which numbers may have stayed, unless there is no other", async () => {
    const daysAt = async () => (await readDays(target, 3, new Date())).get("EST");
    const publish = (date: string, table: string, version: number, at: string) =>
      insert("mobility.batches", BATCH_COLUMNS, [`"EST", "${table}", "${date}", ${version}, 20, "${at}T00:00:00Z"`]);
    // More hours before the day are no correction of it.
    for (const date of [DATE, NEXT]) {
      await publish(date, "activities_hourly", 2, "2026-03-03");
      await publish(date, "activities_daily", 1, "2026-03-04");
    }
    expect(await daysAt()).toEqual([DATE, NEXT]);
    await publish(NEXT, "activities_hourly", 3, "2026-03-05");
    expect(await daysAt()).toEqual([DATE]);
    await publish(DATE, "activities_daily", 2, "2026-03-05");
    expect(await daysAt()).toEqual([DATE, NEXT]);
    await run('DELETE FROM `mobility.batches` WHERE version > 1 OR table_name = "activities_daily"');
  });

  it("finds sets of 1 to k - 1 devices, recovers none, and explains every row", async () => {
    const { findings, unexplained, pairings } = await audit();
    expect(unexplained).toBe(0);
    expect([...findings].filter(([, { recovered, wrong }]) => recovered + wrong > 0)).toEqual([]);
    expect(findings.get("withheld rows, hour")).toMatchObject({ considered: 5, shown: 0, open: 0 });
    expect(findings.get("two versions (drawn corrections)")?.considered).toBe(100);
    expect(pairings.filter(({ published }) => published === undefined)).not.toEqual([]);
  });

  it("scores nothing without the truth, and says so", async () => {
    const { unexplained, pairings } = await auditCountry(target, await readCountry(target, "EST"), DATE, false, undefined);
    expect([unexplained, pairings]).toEqual([undefined, []]);
  });

  it("sees a row that is not as the rule publishes it", async () => {
    await run(
      `UPDATE \`mobility.activities_hourly\` SET people = people + 20 WHERE batch_date = "${DATE}" AND country_code = "EST" AND geo_type = "admin_level_2"`,
    );
    expect((await audit()).unexplained).toBe(2);
  });
});

describe("an audit of a strict country", () => {
  const audit = async () => auditCountry(target, await readCountry(target, "STR"), DATE, true, solver);
  const add = (table: string, columns: string, values: string): Promise<unknown> =>
    insert(`mobility.${table}`, `country_code, batch_date, ${columns}`, [`"STR", "${DATE}", ${values}`]);

  it("knows its rules, finds sets in what it publishes, recovers none, and explains every row", async () => {
    expect((await readCountry(target, "STR")).activities).toEqual(STRICT);
    const { findings, unexplained, pairings } = await audit();
    expect(unexplained).toBe(0);
    expect([...findings].filter(([, { recovered, shown, wrong }]) => recovered + shown + wrong > 0)).toEqual([]);
    expect(findings.get("withheld rows, hour")).toMatchObject({ considered: 5 });
    expect(findings.get("links of a road class")).toMatchObject({ considered: 1 });
    const levels = new Set(pairings.map(({ product, level }) => `${product}: ${level}`));
    expect([levels.has("activities: grid_1000m, day"), levels.has("activities: grid_1000m, hour")]).toEqual([true, false]);
    expect(pairings.filter(({ product }) => product === "flow")).toEqual([expect.objectContaining({ published: 5 * STRICT.step })]);
  });

  it("sees a row of one link, a class with a withheld link, an hour of the finest type, and a share of withheld people", async () => {
    const bucket = `"${DATE}T09:00:00Z"`;
    await add("flows_hourly", "link_id, time_bucket, direction, people, road_class", `3, ${bucket}, 1, ${STRICT.step}, ""`);
    await add("flows_hourly", "link_id, time_bucket, direction, people, road_class", `0, ${bucket}, 0, ${5 * STRICT.step}, "primary"`);
    await add(
      "activities_hourly",
      "geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices",
      `"grid_1000m", ${GEOGRAPHIES[0]?.geo_id}, ${bucket}, ${STRICT.step}, 0, 0, 0`,
    );
    await add(
      "batch_geo_types",
      "table_name, version, geo_type, published_rows, withheld_people_percent",
      `"activities_daily", 1, "grid_1000m", 3, 4`,
    );
    const { findings, unexplained } = await audit();
    expect(unexplained).toBe(1);
    expect(findings.get("links of a road class")).toMatchObject({ recovered: 1, shown: 1 });
    expect(findings.get("withheld share")).toMatchObject({ recovered: 1 });
  });
});

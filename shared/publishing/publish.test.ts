import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ageIntake } from "../../infra/testing/aged-intake.ts";
import { type LoadedRow, type Loads, startLoads } from "../../infra/testing/loads.ts";
import { INTAKE_DAYS } from "./ledger.ts";
import { loadStatement } from "./load.ts";
import { nestingStatements } from "./nesting-statements.ts";

const DAY = "2026-03-01";
let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const { countries } = await loads.stage("flows_hourly", [flow(1, 9)]);
  const cells = ["('EST', 'grid_250m', 51520004124000, 'a', 4, 25, 59)", "('EST', 'grid_250m', 51522504124000, 'b', 4, 25, 59)"];
  await loads.run(
    `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${cells.join(", ")}`,
  );
  for (const sql of nestingStatements(countries))
    await loads.run({ sql, parameters: { country_0: { type: "STRING", value: "EST" }, finest_0: { type: "INT64", value: 0 } } });
});

beforeEach(async () => {
  const facts = ["activities_hourly", "activities_daily", "flows_hourly"];
  for (const table of facts) {
    await loads.run(`DELETE FROM intake.${table} WHERE loaded_on > "1970-01-01"`);
    await loads.run(`DELETE FROM mobility.${table} WHERE batch_date > "1970-01-01"`);
  }
  for (const ledger of ["intake.batches", "mobility.batches"]) await loads.run(`DELETE FROM ${ledger} WHERE TRUE`);
});

afterAll(() => loads.close());

function flow(link: number, devices: number, people = devices * 4): LoadedRow {
  return { country_code: "EST", batch_date: DAY, time_bucket: `${DAY} 10:00:00`, link_id: link, direction: 1, people, devices };
}

const hour = (cell: number, devices: number): LoadedRow => ({
  ...{ country_code: "EST", batch_date: DAY, time_bucket: `${DAY} 10:00:00`, geo_type: "grid_250m" },
  ...{ geo_id: 51520004124000 + cell * 2500000000, people: devices * 4, devices },
});
const day = (cell: number, devices: number): LoadedRow => ({ ...hour(cell, devices), time_bucket: "2026-02-28 22:00:00" });

/** The people of each published row by id, and the version. */
async function published(table: string): Promise<{ people: Record<string, number>; version: number | null }> {
  const id = table === "flows_hourly" ? "link_id" : "geo_id";
  const rows = await loads.run(
    `SELECT CAST(${id} AS STRING) AS id, people FROM mobility.${table} WHERE batch_date = '${DAY}' ORDER BY ${id}`,
  );
  const [ledger] = await loads.run(`SELECT MAX(version) AS version FROM mobility.batches WHERE table_name = '${table}'`);
  const people = Object.fromEntries(rows.map((row) => [Reflect.get(Object(row), "id"), Reflect.get(Object(row), "people")]));
  return { people, version: Reflect.get(Object(ledger), "version") };
}

describe("a batch of facts", () => {
  it("stands raw in intake, and in mobility without devices or rows below k", async () => {
    await loads.load("flows_hourly", [flow(1, 9), flow(2, 4)]);
    expect(await loads.run('SELECT link_id, devices FROM intake.flows_hourly WHERE loaded_on > "1970-01-01" ORDER BY 1')).toEqual([
      { link_id: 1, devices: 9 },
      { link_id: 2, devices: 4 },
    ]);
    expect(await loads.run(`SELECT * EXCEPT (time_bucket, batch_date) FROM mobility.flows_hourly WHERE batch_date = '${DAY}'`)).toEqual([
      { country_code: "EST", link_id: 1, direction: 1, people: 40, road_class: "" },
    ]);
  });

  it("is no load when its checksum is that of the newest load", async () => {
    const load = await loads.stage("flows_hourly", [flow(1, 9)]);
    await loads.run(loadStatement(load));
    await loads.run(loadStatement(load));
    expect(await loads.run("SELECT version FROM intake.batches")).toEqual([{ version: 1 }]);
  });

  it("has a new version only if the published rows changed, whatever changed below k", async () => {
    await loads.load("flows_hourly", [flow(1, 9), flow(2, 4)]);
    await loads.load("flows_hourly", [flow(1, 9), flow(2, 1), flow(3, 2)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40 }, version: 1 });
    await loads.load("flows_hourly", [flow(1, 9), flow(2, 7)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40, 2: 20 }, version: 2 });
    await loads.load("flows_hourly", [flow(1, 9)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40 }, version: 3 });
    expect(await loads.run("SELECT MAX(version) AS loads FROM intake.batches")).toEqual([{ loads: 4 }]);
  });

  it("has the versions of its own country, if another one has rows of the same day", async () => {
    const versions = async (...rows: readonly LoadedRow[]): Promise<unknown> => {
      const load = await loads.stage("flows_hourly", rows);
      await loads.run(loadStatement({ ...load, countries: load.countries.flatMap((country) => [country, { ...country, code: "LTU" }]) }));
      return loads.run("SELECT country_code, MAX(version) AS version FROM mobility.batches GROUP BY country_code ORDER BY country_code");
    };
    const abroad = (devices: number): LoadedRow => ({ ...flow(1, devices), country_code: "LTU" });
    const told = (est: number, ltu: number) => [
      { country_code: "EST", version: est },
      { country_code: "LTU", version: ltu },
    ];
    expect(await versions(flow(1, 9))).toEqual(told(1, 0).slice(0, 1));
    expect(await versions(flow(1, 9), abroad(9))).toEqual(told(1, 1));
    expect(await versions(flow(1, 9), abroad(30))).toEqual(told(1, 2));
    expect(await versions(flow(1, 30), abroad(30))).toEqual(told(2, 2));
  });

  it("with nothing to publish has a version and no row", async () => {
    await loads.load("flows_hourly", [flow(1, 4)]);
    expect(await published("flows_hourly")).toEqual({ people: {}, version: 1 });
  });

  it("keeps a published number if a correction changes its devices by fewer than k", async () => {
    await loads.load("flows_hourly", [flow(1, 10)]);
    await loads.load("flows_hourly", [flow(1, 14)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40 }, version: 1 });
    await loads.load("flows_hourly", [flow(1, 6)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40 }, version: 1 });
    // Small corrections do not add up: the number is that of ten devices until five more or fewer are delivered.
    await loads.load("flows_hourly", [flow(1, 15)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 60 }, version: 2 });
  });
});

describe("days and hours", () => {
  it("are the same whichever is loaded first", async () => {
    await loads.load("activities_daily", [day(0, 30)]);
    expect(await published("activities_daily")).toEqual({ people: {}, version: null });
    await loads.load("activities_hourly", [hour(0, 28)]);
    const first = [await published("activities_hourly"), await published("activities_daily")];
    for (const table of ["activities_hourly", "activities_daily"]) {
      await loads.run(`DELETE FROM intake.${table} WHERE loaded_on > "1970-01-01"`);
      await loads.run(`DELETE FROM mobility.${table} WHERE batch_date > "1970-01-01"`);
    }
    for (const ledger of ["intake.batches", "mobility.batches"]) await loads.run(`DELETE FROM ${ledger} WHERE TRUE`);
    await loads.load("activities_hourly", [hour(0, 28)]);
    await loads.load("activities_daily", [day(0, 30)]);
    expect([await published("activities_hourly"), await published("activities_daily")]).toEqual(first);
    // The day exceeds its only told hour by two devices.
    expect(first).toEqual([
      { people: { 51520004124000: 120 }, version: 1 },
      { people: { 51520004124000: 120 }, version: 1 },
    ]);
  });

  it("keep the published day when hours are corrected after its raw rows have left intake", async () => {
    await loads.load("activities_hourly", [hour(0, 28)]);
    await loads.load("activities_daily", [day(0, 40)]);
    const before = await published("activities_daily");
    await loads.run('DELETE FROM intake.activities_daily WHERE loaded_on > "1970-01-01"');
    await loads.load("activities_hourly", [hour(0, 40)]);
    expect(await published("activities_daily")).toEqual(before);
    expect(before.people).toEqual({ 51520004124000: 120 });
  });
});

describe("a correction of a batch that has left intake", () => {
  const numbers = async (): Promise<Record<string, number>> => (await published("flows_hourly")).people;

  it("keeps numbers where the new ones are within one step, then and later, and replaces others", async () => {
    await loads.load("flows_hourly", [flow(1, 10), flow(2, 30), flow(3, 30), flow(4, 4), flow(5, 9)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40, 2: 120, 3: 120, 5: 40 }, version: 1 });
    await ageIntake(loads.run, 15);
    expect(await loads.run('SELECT devices FROM intake.flows_hourly WHERE loaded_on > "1970-01-01"')).toEqual([]);
    await loads.load("flows_hourly", [flow(1, 15), flow(2, 25), flow(3, 40), flow(4, 9)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40, 2: 120, 3: 160, 4: 40 }, version: 2 });
    // The raw rows are there again; what stood before them still bears on the numbers.
    await loads.load("flows_hourly", [flow(1, 10), flow(2, 20), flow(3, 41), flow(4, 9)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40, 2: 80, 3: 160, 4: 40 }, version: 3 });
  });

  it("that changes no number by more has no new version", async () => {
    await loads.load("flows_hourly", [flow(1, 10), flow(2, 30)]);
    await ageIntake(loads.run, 15);
    await loads.load("flows_hourly", [flow(1, 15), flow(2, 34)]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40, 2: 120 }, version: 1 });
  });

  it("does not bear on a batch that was loaded within 14 days", async () => {
    await loads.load("flows_hourly", [flow(1, 10)]);
    await ageIntake(loads.run, 12);
    await loads.load("flows_hourly", [flow(1, 15)]);
    expect(await numbers()).toEqual({ 1: 60 });
  });

  it("does not bear on protected data", async () => {
    const isProtected = async (people: number): Promise<void> => {
      const load = await loads.stage("flows_hourly", [flow(1, 10, people)]);
      await loads.run(loadStatement({ ...load, countries: load.countries.map((country) => ({ ...country, isProtected: true, step: 1 })) }));
    };
    await isProtected(40);
    await ageIntake(loads.run, 15);
    await isProtected(41);
    expect(await numbers()).toEqual({ 1: 41 });
  });

  it("keeps stays with their minutes where both counts are within k, and takes corrected minutes", async () => {
    const stays = (devices: number, count: number, minutes: number): LoadedRow => ({
      ...hour(0, 40),
      ...{ stays_devices: devices, stays_count: count, stays_dwell_minutes: minutes },
    });
    const told = () =>
      loads.run(`SELECT stays_devices, stays_count, stays_dwell_minutes FROM mobility.activities_hourly WHERE batch_date = '${DAY}'`);
    await loads.load("activities_hourly", [stays(10, 20, 100)]);
    const first = [{ stays_devices: 10, stays_count: 20, stays_dwell_minutes: 100 }];
    expect(await told()).toEqual(first);
    await ageIntake(loads.run, 15);
    await loads.load("activities_hourly", [stays(15, 20, 150)]);
    expect(await told()).toEqual(first);
    await ageIntake(loads.run, 15);
    await loads.load("activities_hourly", [stays(10, 20, 300)]);
    expect(await told()).toEqual([{ stays_devices: 10, stays_count: 20, stays_dwell_minutes: 300 }]);
    await ageIntake(loads.run, 15);
    await loads.load("activities_hourly", [stays(15, 30, 450)]);
    expect(await told()).toEqual([{ stays_devices: 15, stays_count: 30, stays_dwell_minutes: 450 }]);
  });

  it("of areas bears on batches within 14 days, too, unless the number is of another step", async () => {
    const people = async (): Promise<unknown> => (await published("activities_hourly")).people;
    const again = async (devices: number, step: number): Promise<void> => {
      const load = await loads.stage("activities_hourly", [hour(0, devices)]);
      await loads.run(loadStatement({ ...load, countries: load.countries.map((country) => ({ ...country, step })) }));
    };
    await loads.load("activities_hourly", [hour(0, 28)]);
    expect(await people()).toEqual({ 51520004124000: 120 });
    await again(34, 20);
    expect(await people()).toEqual({ 51520004124000: 120 });
    await again(40, 20);
    expect(await people()).toEqual({ 51520004124000: 160 });
    await again(46, 30);
    expect(await people()).toEqual({ 51520004124000: 180 });
  });

  it("keeps no number of a day whose published rows were deleted, and has the next version", async () => {
    await loads.load("activities_hourly", [hour(0, 28)]);
    await loads.run(`DELETE FROM mobility.activities_hourly WHERE country_code = "EST" AND batch_date = "${DAY}"`);
    await loads.load("activities_hourly", [hour(0, 34)]);
    expect(await published("activities_hourly")).toEqual({ people: { 51520004124000: 140 }, version: 2 });
  });

  it("is a load even if the file is the same, so that its raw rows are there again", async () => {
    const load = await loads.stage("flows_hourly", [flow(1, 10)]);
    await loads.run(loadStatement(load));
    await ageIntake(loads.run, 15);
    await loads.run(loadStatement({ ...(await loads.stage("flows_hourly", [flow(1, 10)])), checksum: load.checksum }));
    expect(await loads.run("SELECT version FROM intake.batches ORDER BY 1")).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await published("flows_hourly")).toEqual({ people: { 1: 40 }, version: 1 });
  });
});

it("raw rows leave intake after the days that the rules of corrections count", () => {
  for (const table of ["activities_hourly", "activities_daily", "flows_hourly", "odm_daily"]) {
    const ddl = readFileSync(new URL(`../../infra/warehouse/${table}.sql`, import.meta.url), "utf8");
    expect(
      [...ddl.matchAll(/partition_expiration_days = (\d+)/g)].map(([, days]) => Number(days)),
      table,
    ).toEqual([INTAKE_DAYS]);
  }
});

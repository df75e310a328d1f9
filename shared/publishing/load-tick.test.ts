import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { makeTables } from "../../infra/local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery } from "../google/bigquery.ts";
import { rowsOf } from "../google/statement.ts";
import { loadTickStatement, tickLedgerStatement } from "./load-tick.ts";

const COLUMNS = ["tick", "country_code", "cell_id", "people", "devices"];
const EST = { code: "EST", k: 5, step: 20, isProtected: false };
const TICK = "2026-01-15T12:00:00Z";
const LOAD = { staging: "staging.import_1", columns: COLUMNS, country: EST, tick: TICK, checksum: "ab12" };

/** People and devices by cell. */
type Cells = Readonly<Record<number, readonly [people: number, devices: number]>>;

let warehouse: WarehouseUnderTest;
let loads = 0;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
});

beforeEach(async () => {
  const connection = await warehouse.connection();
  for (const table of ["intake.presence", "intake.batches", "mobility.batches", "realtime.presence"])
    await connection.run(`DELETE FROM ${table}`);
  connection.closeSync();
});

afterAll(() => warehouse.close());

async function run(sql: string): Promise<unknown[][]> {
  const [rows] = await warehouse.client.query({ query: sql, wrapIntegers: false });
  return rows.map((row: object) => Object.values(row));
}

/** Loads the cells of a tick, as a content of its own unless a checksum is given. */
async function load(cells: Cells, { country = EST, tick = TICK, checksum = `load ${++loads}` } = {}): Promise<void> {
  const rows = Object.entries(cells).map(
    ([id, [people, devices]]) => `(TIMESTAMP "${tick}", "${country.code}", ${id}, ${people}, ${devices})`,
  );
  await run("CREATE OR REPLACE TABLE staging.import_1 (tick TIMESTAMP, country_code STRING, cell_id INT64, people INT64, devices INT64)");
  await run(`INSERT INTO staging.import_1 (${COLUMNS.join(", ")}) VALUES ${rows.join(", ")}`);
  await warehouse.client.query(clientQuery(loadTickStatement({ ...LOAD, country, tick, checksum })));
}

const of = (code: string): string => `tick = "${TICK}" AND country_code = "${code}" ORDER BY cell_id`;
const published = (code = "EST") => run(`SELECT cell_id, people FROM realtime.presence WHERE ${of(code)}`);
const raw = (code = "EST") => run(`SELECT cell_id, people, devices FROM intake.presence WHERE ${of(code)}`);
/** The published versions with their rows. */
const versions = () => run(`SELECT version, row_count FROM mobility.batches WHERE country_code = "EST" ORDER BY 1`);
const loaded = () => run(`SELECT version, row_count FROM intake.batches WHERE country_code = "EST" ORDER BY 1`);

describe("a tick", () => {
  it("has its raw rows in intake, and its cells of k devices in realtime, people to the nearest step and at least one", async () => {
    await load({ 1: [109, 30], 2: [110, 30], 3: [13, 4], 4: [6, 5] });
    expect(await raw()).toEqual([
      [1, 109, 30],
      [2, 110, 30],
      [3, 13, 4],
      [4, 6, 5],
    ]);
    expect(await published()).toEqual([
      [1, 100],
      [2, 120],
      [4, 20],
    ]);
    expect([await loaded(), await versions()]).toEqual([[[1, 4]], [[1, 3]]]);
  });

  it("of a country with the strict profile is published each quarter of an hour, and stays in intake otherwise", async () => {
    const country = { ...EST, step: 40, isStrict: true };
    for (const minute of ["00", "05", "10", "15"]) await load({ 1: [109, 30] }, { country, tick: `2026-01-15T12:${minute}:00Z` });
    const ticks = (rows: string) => run(`SELECT FORMAT_TIMESTAMP('%M', tick) AS minute FROM ${rows} ORDER BY 1`);
    const all = [["00"], ["05"], ["10"], ["15"]];
    expect([await ticks('intake.presence WHERE tick > "2026-01-01"'), await ticks("intake.batches")]).toEqual([all, all]);
    const told = [["00"], ["15"]];
    expect([await ticks('realtime.presence WHERE tick > "2026-01-01"'), await ticks("mobility.batches")]).toEqual([told, told]);
  });

  it("has the exact people of a country whose data is protected already", async () => {
    await load({ 1: [109, 30], 2: [8, 4] }, { country: { ...EST, step: 1, isProtected: true } });
    expect(await published()).toEqual([[1, 109]]);
  });

  it("of withheld cells only is complete as version 1", async () => {
    await load({ 1: [12, 4] });
    expect([await published(), await loaded(), await versions()]).toEqual([[], [[1, 1]], [[1, 0]]]);
  });

  it("is of one country and one instant", async () => {
    const other = { ...EST, code: "LAT", k: 7, step: 30 };
    await load({ 1: [50, 20] }, { country: other });
    await load({ 1: [50, 20] }, { tick: "2026-01-15T12:05:00Z" });
    await load({ 1: [50, 20] });
    await load({ 2: [90, 30] });
    expect([await published("LAT"), await published()]).toEqual([[[1, 60]], [[2, 100]]]);
    expect(await run(`SELECT people FROM realtime.presence WHERE tick = "2026-01-15T12:05:00Z"`)).toEqual([[60]]);
  });
});

describe("a load of the same content", () => {
  it("changes nothing", async () => {
    await load({ 1: [50, 20] }, { checksum: "same" });
    await load({ 1: [50, 20] }, { checksum: "same" });
    expect([await loaded(), await versions(), await raw(), await published()]).toEqual([[[1, 1]], [[1, 1]], [[1, 50, 20]], [[1, 60]]]);
  });

  it("after another makes the published version rise again", async () => {
    for (const [people, checksum] of [
      [100, "one"],
      [200, "other"],
      [100, "one"],
    ] as const)
      await load({ 1: [people, people / 4] }, { checksum });
    expect([await loaded(), await versions(), await published()]).toEqual([
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      [[1, 100]],
    ]);
  });
});

describe("a correction", () => {
  it("replaces the whole tick; the published version rises only if published cells change", async () => {
    await load({ 1: [100, 30], 2: [100, 30], 3: [12, 4] });
    await load({ 1: [100, 30], 2: [100, 30], 3: [8, 2], 4: [3, 1] });
    expect([await loaded(), await versions()]).toEqual([
      [
        [1, 3],
        [2, 4],
      ],
      [[1, 2]],
    ]);
    await load({ 1: [100, 30], 3: [8, 2] });
    expect(await published()).toEqual([[1, 100]]);
    await load({ 1: [100, 30], 3: [20, 5] });
    expect(await published()).toEqual([
      [1, 100],
      [3, 20],
    ]);
    expect(await versions()).toEqual([
      [1, 2],
      [2, 1],
      [3, 2],
    ]);
  });

  it("of a told cell by fewer than k devices keeps the cell, however often; by k devices it does not", async () => {
    await load({ 1: [100, 30], 2: [100, 30], 3: [20, 5] });
    await load({ 1: [119, 34], 2: [81, 26], 3: [8, 4] });
    const kept = [
      [1, 100, 30],
      [2, 100, 30],
      [3, 20, 5],
    ];
    expect([await raw(), await versions()]).toEqual([kept, [[1, 3]]]);
    await load({ 1: [119, 34], 2: [75, 25], 3: [8, 4] });
    expect([await raw(), await published()]).toEqual([
      [
        [1, 100, 30],
        [2, 75, 25],
        [3, 20, 5],
      ],
      [
        [1, 100],
        [2, 80],
        [3, 20],
      ],
    ]);
  });

  it("of a withheld cell is taken as it is, and of protected data any is", async () => {
    await load({ 1: [16, 4] });
    await load({ 1: [40, 8] });
    expect(await published()).toEqual([[1, 40]]);
    await load({ 1: [44, 9] }, { country: { ...EST, step: 1, isProtected: true } });
    expect(await published()).toEqual([[1, 44]]);
  });

  it("mends a tick that two loads at once have doubled", async () => {
    await load({ 1: [100, 30], 2: [12, 4] });
    for (const table of ["intake.batches", "mobility.batches"]) await run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE TRUE`);
    for (const table of ["intake.presence", "realtime.presence"])
      await run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE tick = "${TICK}"`);
    await load({ 1: [104, 31], 2: [12, 4] }, { checksum: `load ${loads}` });
    expect([await raw(), await published()]).toEqual([
      [
        [1, 104, 31],
        [2, 12, 4],
      ],
      [[1, 100]],
    ]);
    expect((await versions()).at(-1)).toEqual([2, 1]);
  });
});

describe("the script", () => {
  const statements = loadTickStatement(LOAD)
    .sql.split(";")
    .map((text) => text.trim());

  test("is one transaction", () => {
    expect(statements[0]).toBe("BEGIN TRANSACTION");
    expect(statements.at(-1)).toBe("COMMIT TRANSACTION");
  });

  test("deletes by constants, which prune to the partition and cluster of the tick", () => {
    for (const table of ["intake.presence", "realtime.presence"])
      expect(
        statements.some((text) => text.startsWith(`DELETE FROM \`${table}\`\nWHERE tick = @tick AND country_code = @country AND `)),
      ).toBe(true);
  });

  test("passes all values as parameters", () => {
    const { sql, parameters } = loadTickStatement({ ...LOAD, country: { ...EST, code: "'; DROP" } });
    expect(sql).not.toMatch(/DROP|2026-01|ab12/);
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });
});

describe("the ledger of ticks", () => {
  it("has the newest load of each, by constants", async () => {
    for (const people of [100, 200]) await load({ 1: [people, 30] }, { checksum: `of ${people}` });
    await load({ 1: [100, 30] }, { tick: "2026-01-15T12:05:00Z", checksum: "later" });
    const asked = tickLedgerStatement({ countries: ["EST", "UTO"], first: TICK, last: "2026-01-15T12:05:00Z" });
    const [rows] = await warehouse.client.query({ ...clientQuery(asked), wrapIntegers: false });
    expect(
      rowsOf(asked, rows)
        .map(({ period, version, checksum }) => [period, version, checksum])
        .sort(),
    ).toEqual([
      [TICK, 2, "of 200"],
      ["2026-01-15T12:05:00Z", 1, "later"],
    ]);
    expect(asked.sql).toContain("country_code IN (@country_0, @country_1) AND tick BETWEEN @first_tick AND @last_tick");
    expect(asked.sql).not.toMatch(/UTO|2026-01/);
  });
});

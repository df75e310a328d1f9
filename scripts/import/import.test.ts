import { describe, expect, onTestFinished, test } from "vitest";
import { ageIntake } from "../../infra/testing/aged-intake.ts";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";
const pair = (country: string, date: string, from: number, to: number, trips: number, devices: number): string =>
  `${country},${date},admin_level_4,${from},admin_level_4,${to},${trips},${devices}`;
const GEOGRAPHIES = "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat";
/** Areas 1, 2 and 7 of both countries. */
const PLACES = ["EST", "UTO"].flatMap((country) => [1, 2, 7].map((id) => `${country},admin_level_4,${id},Area ${id},,25,59`));
const ledgerOf = (dataset: string): string =>
  `SELECT country_code, FORMAT_DATE('%F', batch_date) AS batch_date, version, row_count FROM ${dataset}.batches WHERE batch_date IS NOT NULL ORDER BY 1, 2, 3`;
const LEDGER = ledgerOf("mobility");
const LOADS = ledgerOf("intake");
const PAIRS = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS batch_date, origin_geo_id, destination_geo_id, trips
  FROM mobility.odm_daily WHERE batch_date > '1970-01-01' ORDER BY 1, 2, 3, 4`;
const RAW = "SELECT trips, devices FROM intake.odm_daily WHERE loaded_on > '1970-01-01' ORDER BY 1, 2";
const STAYS = "Raw rows stay in intake for 14 days; mobility.odm_daily has what is published of them";

async function warehouse(): Promise<ImportUnderTest> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  started.setCountries(({ EST, UTO }) => ({ EST: { ...EST, odm: { ...EST.odm, geo_types: ["admin_level_4"] } }, UTO }));
  await started.run("geographies", "--file", madeCsv(GEOGRAPHIES, ...PLACES));
  return started;
}

describe("loading facts", () => {
  test("publishes rows from the country's k devices in steps, and writes the ledgers", async () => {
    const { run, rows, staged } = await warehouse();
    const file = madeCsv(
      ODM,
      pair("EST", "2026-03-01", 1, 2, 40, 5),
      pair("EST", "2026-03-01", 2, 1, 30, 4),
      pair("EST", "2026-03-02", 1, 2, 49, 6),
      pair("UTO", "2026-03-01", 1, 2, 90, 19),
      pair("UTO", "2026-03-01", 2, 1, 95, 20),
    );
    expect(await run("odm_daily", "--file", file)).toEqual([
      `Reading ${file} …`,
      "5 rows, 3 batches",
      "Loaded odm_daily 2026-03-01 EST: 2 rows, 1 published, version 1",
      "Loaded odm_daily 2026-03-02 EST: 1 row, 1 published, version 1",
      "Loaded odm_daily 2026-03-01 UTO: 2 rows, 1 published, version 1",
      STAYS,
    ]);
    expect(await rows(PAIRS)).toEqual([
      { country_code: "EST", batch_date: "2026-03-01", origin_geo_id: 1, destination_geo_id: 2, trips: 40 },
      { country_code: "EST", batch_date: "2026-03-02", origin_geo_id: 1, destination_geo_id: 2, trips: 40 },
      { country_code: "UTO", batch_date: "2026-03-01", origin_geo_id: 2, destination_geo_id: 1, trips: 80 },
    ]);
    expect(await rows(RAW)).toMatchObject([{ trips: 30, devices: 4 }, { trips: 40 }, { trips: 49 }, { trips: 90 }, { trips: 95 }]);
    const ledger = (rowCounts: readonly number[]) => [
      { country_code: "EST", batch_date: "2026-03-01", version: 1, row_count: rowCounts[0] },
      { country_code: "EST", batch_date: "2026-03-02", version: 1, row_count: rowCounts[1] },
      { country_code: "UTO", batch_date: "2026-03-01", version: 1, row_count: rowCounts[2] },
    ];
    expect([await rows(LEDGER), await rows(LOADS)]).toEqual([ledger([1, 1, 1]), ledger([2, 1, 2])]);
    expect(await staged()).toEqual([]);
  });

  test("the same file again changes nothing", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    const before = [await rows(PAIRS), await rows(LEDGER), await rows(LOADS)];
    expect((await run("odm_daily", "--file", file)).at(-1)).toBe("Nothing to do: already loaded, published version 1");
    expect([await rows(PAIRS), await rows(LEDGER), await rows(LOADS)]).toEqual(before);
  });

  test("the same file after its rows have left intake is a load that publishes the same", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    await ageIntake(rows, 15);
    expect(await rows(RAW)).toEqual([]);
    expect((await run("odm_daily", "--file", file)).slice(2)).toEqual([
      "Loaded odm_daily 2026-03-01 EST: 1 row, 1 published as before, version 1",
      "2026-03-01 EST: the earlier rows had left intake, so published numbers stay where the new ones are within one step",
      STAYS,
    ]);
    expect([await rows(RAW), await rows(PAIRS)]).toMatchObject([[{ trips: 40 }], [{ trips: 40 }]]);
  });

  test("the same file with another mapping is a new load", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(`${ODM},corrected,seen`, `${pair("EST", "2026-03-01", 1, 2, 40, 5)},64,10`);
    await run("odm_daily", "--file", file);
    await run("odm_daily", "--file", file, "--column", "trips=corrected", "--column", "devices=seen");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 60 }]);
  });

  test("a corrected file replaces its batches and no others", async () => {
    const { run, rows } = await warehouse();
    const others = [
      pair("EST", "2026-02-28", 1, 2, 20, 9),
      pair("EST", "2026-03-02", 1, 2, 60, 9),
      pair("UTO", "2026-03-01", 1, 2, 80, 29),
    ];
    await run(
      "odm_daily",
      "--file",
      madeCsv(ODM, ...others, pair("EST", "2026-03-01", 1, 2, 40, 10), pair("EST", "2026-03-01", 7, 2, 40, 5)),
    );
    const lines = await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 100, 25)));
    expect(lines).toContain("Loaded odm_daily 2026-03-01 EST: 1 row, 1 published, version 2");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 20 }, { trips: 100 }, { trips: 60 }, { trips: 80 }]);
    expect(await rows(LEDGER)).toHaveLength(5);
  });

  test("a correction by fewer than k devices keeps the published number, and says so; by k devices it changes it", async () => {
    const { run, rows } = await warehouse();
    const day = (...devices: readonly number[]): string =>
      madeCsv(ODM, ...devices.map((count, index) => pair("EST", "2026-03-01", [1, 2, 7][index] ?? 0, 2, count * 4, count)));
    await run("odm_daily", "--file", day(10, 20, 4));
    expect((await run("odm_daily", "--file", day(14, 20, 2))).slice(2)).toEqual([
      "Loaded odm_daily 2026-03-01 EST: 3 rows, 2 published as before, version 1",
      "1 row kept the published numbers: fewer than k devices differ from the rows before",
      STAYS,
    ]);
    expect(await rows(PAIRS)).toMatchObject([{ trips: 40 }, { trips: 80 }]);
    expect(await run("odm_daily", "--file", day(15, 20, 2))).toContain("Loaded odm_daily 2026-03-01 EST: 3 rows, 2 published, version 2");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 60 }, { trips: 80 }]);
  });

  test("a batch that is already current stays unchanged, even if the file holds others too", async () => {
    const { run, rows } = await warehouse();
    const both = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5), pair("EST", "2026-03-02", 1, 2, 41, 5));
    await run("odm_daily", "--file", both);
    await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-02", 1, 2, 100, 25)));
    const lines = await run("odm_daily", "--file", both);
    expect(lines).toContain("odm_daily 2026-03-01 EST: already loaded, published version 1");
    expect(lines).toContain("Loaded odm_daily 2026-03-02 EST: 1 row, 1 published, version 3");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 40 }, { trips: 40 }]);
  });

  test("another k makes the same file a new load", async () => {
    const { run, rows, setCountries } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    setCountries(({ EST, ...others }) => ({ ...others, EST: { ...EST, k: 6, odm: { ...EST.odm, geo_types: ["admin_level_4"] } } }));
    expect(await run("odm_daily", "--file", file)).toContain("Loaded odm_daily 2026-03-01 EST: 1 row, 0 published, version 2");
    expect(await rows(PAIRS)).toEqual([]);
  });

  test("hours belong to their civil day in the country", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(
      "country_code,link_id,time_bucket,direction,people,devices",
      "EST,1,2026-03-01T21:00:00Z,1,20,5",
      "EST,1,2026-03-01T22:00:00Z,-1,40,10",
    );
    await run("flows_hourly", "--file", file);
    const found = await rows(
      "SELECT FORMAT_DATE('%F', batch_date) AS batch_date, people FROM mobility.flows_hourly WHERE batch_date > '1970-01-01' ORDER BY people",
    );
    expect(found).toEqual([
      { batch_date: "2026-03-01", people: 20 },
      { batch_date: "2026-03-02", people: 40 },
    ]);
  });
});

describe("nothing is stored", () => {
  test("when one value is bad", async () => {
    const { run, rows, staged } = await warehouse();
    await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5)));
    const before = [await rows(PAIRS), await rows(LEDGER)];
    const bad = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 99, 5), pair("EST", "2026-03-02", 1, 2, -1, 5));
    await expect(run("odm_daily", "--file", bad)).rejects.toThrow('line 3, column trips: "-1" is negative');
    expect([await rows(PAIRS), await rows(LEDGER), await staged()]).toEqual([...before, []]);
  });

  test("when the load fails halfway", async () => {
    const { run, rows, staged } = await warehouse();
    await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5)));
    const before = await rows(PAIRS);
    await rows("UPDATE intake.batches SET version = 9223372036854775807 WHERE TRUE");
    const corrected = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 99, 5));
    await expect(run("odm_daily", "--file", corrected)).rejects.toThrow();
    expect([await rows(PAIRS), await staged()]).toEqual([before, []]);
  });

  test("in a dry run", async () => {
    const { run, rows } = await warehouse();
    const lines = await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5)), "--dry-run");
    expect(lines.at(-1)).toBe("The file is valid. Nothing was loaded (--dry-run)");
    expect([await rows(PAIRS), await rows(LEDGER)]).toEqual([[], []]);
  });
});

test("an import runs on tables that a later release has grown, and leaves its columns null", async () => {
  const { run, rows } = await warehouse();
  const tables = ["intake.odm_daily", "mobility.odm_daily", "intake.batches", "mobility.batches"];
  for (const table of tables) await rows(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS later STRING`);
  for (const trips of [40, 80]) await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, trips, trips / 8)));
  expect([await rows(PAIRS), await rows(RAW)]).toMatchObject([[{ trips: 80 }], [{ trips: 80 }]]);
  expect(await rows(LOADS)).toMatchObject([{ version: 1 }, { version: 2 }]);
});

describe("concurrent imports", () => {
  test("of one batch leave the rows of one of them", async () => {
    const { run, rows } = await warehouse();
    const files = [20, 40, 60].map((trips) =>
      madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, trips, trips / 4), pair("EST", "2026-03-01", 2, 1, trips, trips / 4)),
    );
    await Promise.all(files.map((file) => run("odm_daily", "--file", file)));
    for (const from of ["mobility.odm_daily WHERE batch_date = '2026-03-01'", "intake.odm_daily WHERE loaded_on > '1970-01-01'"])
      expect(await rows(`SELECT COUNT(*) AS n, COUNT(DISTINCT trips) AS loads FROM ${from}`)).toEqual([{ n: 2, loads: 1 }]);
    expect(await rows(LOADS)).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
    expect(await rows(LEDGER)).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  test("of the same file load it once", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await Promise.all([run("odm_daily", "--file", file), run("odm_daily", "--file", file)]);
    expect(await rows(LOADS)).toMatchObject([{ version: 1, row_count: 1 }]);
    expect(await rows(PAIRS)).toHaveLength(1);
  });

  test("that doubled a batch are fixed by the next import of either file", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    await rows("INSERT INTO mobility.odm_daily SELECT * FROM mobility.odm_daily WHERE batch_date = '2026-03-01'");
    await rows("INSERT INTO intake.odm_daily SELECT * FROM intake.odm_daily WHERE loaded_on > '1970-01-01'");
    for (const ledger of ["mobility.batches", "intake.batches"])
      await rows(`INSERT INTO ${ledger} SELECT * FROM ${ledger} WHERE batch_date IS NOT NULL`);
    await run("odm_daily", "--file", file);
    expect((await rows(LOADS)).at(-1)).toMatchObject({ version: 2 });
    expect([await rows(PAIRS), await rows(RAW)]).toMatchObject([[{ trips: 40 }], [{ trips: 40 }]]);
  });
});

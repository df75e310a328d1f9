import { describe, expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";
const pair = (country: string, date: string, from: number, to: number, trips: number, devices: number): string =>
  `${country},${date},admin_level_4,${from},admin_level_4,${to},${trips},${devices}`;
const GEOGRAPHIES = "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat";
const LEDGER =
  "SELECT country_code, table_name, FORMAT_DATE('%F', batch_date) AS batch_date, version, row_count, suppressed_count FROM mobility.batches ORDER BY 2, 1, 3, 4";
const PAIRS = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS batch_date, origin_geo_id, destination_geo_id, trips, publishable
  FROM mobility.odm_daily WHERE batch_date > '1970-01-01' ORDER BY 1, 2, 3, 4`;

async function warehouse(): Promise<ImportUnderTest> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  return started;
}

describe("loading facts", () => {
  test("computes publishable by the country's k and writes the ledger", async () => {
    const { run, rows, staged } = await warehouse();
    const file = madeCsv(
      ODM,
      pair("EST", "2026-03-01", 1, 2, 40, 5),
      pair("EST", "2026-03-01", 2, 1, 30, 4),
      pair("EST", "2026-03-02", 1, 2, 41, 6),
      pair("UTO", "2026-03-01", 1, 2, 90, 19),
      pair("UTO", "2026-03-01", 2, 1, 95, 20),
    );
    expect(await run("odm_daily", "--file", file)).toEqual([
      `Reading ${file} …`,
      "5 rows, 3 batches",
      "Loaded mobility.odm_daily 2026-03-01 EST: 2 rows, 1 below the threshold, version 1",
      "Loaded mobility.odm_daily 2026-03-02 EST: 1 row, 0 below the threshold, version 1",
      "Loaded mobility.odm_daily 2026-03-01 UTO: 2 rows, 1 below the threshold, version 1",
      expect.stringMatching(/^Warning: 2 ids in origin_geo_id not in mobility.geographies: 1, 2$/),
      expect.stringMatching(/^Warning: 2 ids in destination_geo_id not in mobility.geographies: 1, 2$/),
    ]);
    expect(await rows(PAIRS)).toMatchObject([
      { country_code: "EST", batch_date: "2026-03-01", origin_geo_id: 1, trips: 40, publishable: true },
      { country_code: "EST", batch_date: "2026-03-01", origin_geo_id: 2, trips: 30, publishable: false },
      { country_code: "EST", batch_date: "2026-03-02", origin_geo_id: 1, trips: 41, publishable: true },
      { country_code: "UTO", batch_date: "2026-03-01", origin_geo_id: 1, trips: 90, publishable: false },
      { country_code: "UTO", batch_date: "2026-03-01", origin_geo_id: 2, trips: 95, publishable: true },
    ]);
    expect(await rows(LEDGER)).toEqual([
      { country_code: "EST", table_name: "odm_daily", batch_date: "2026-03-01", version: 1, row_count: 2, suppressed_count: 1 },
      { country_code: "EST", table_name: "odm_daily", batch_date: "2026-03-02", version: 1, row_count: 1, suppressed_count: 0 },
      { country_code: "UTO", table_name: "odm_daily", batch_date: "2026-03-01", version: 1, row_count: 2, suppressed_count: 1 },
    ]);
    expect(await staged()).toEqual([]);
  });

  test("the same file again changes nothing", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    const before = [await rows(PAIRS), await rows(LEDGER)];
    expect((await run("odm_daily", "--file", file)).at(-1)).toBe("Nothing to do: already loaded as version 1");
    expect([await rows(PAIRS), await rows(LEDGER)]).toEqual(before);
  });

  test("the same file with another mapping is a new load", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(`${ODM},corrected`, `${pair("EST", "2026-03-01", 1, 2, 40, 5)},44`);
    await run("odm_daily", "--file", file);
    await run("odm_daily", "--file", file, "--column", "trips=corrected");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 44 }]);
  });

  test("a corrected file replaces its batches and no others", async () => {
    const { run, rows } = await warehouse();
    const others = [pair("EST", "2026-02-28", 1, 2, 1, 9), pair("EST", "2026-03-02", 1, 2, 2, 9), pair("UTO", "2026-03-01", 1, 2, 3, 29)];
    await run(
      "odm_daily",
      "--file",
      madeCsv(ODM, ...others, pair("EST", "2026-03-01", 1, 2, 40, 5), pair("EST", "2026-03-01", 7, 2, 40, 5)),
    );
    const lines = await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 42, 5)));
    expect(lines).toContain("Loaded mobility.odm_daily 2026-03-01 EST: 1 row, 0 below the threshold, version 2");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 1 }, { trips: 42 }, { trips: 2 }, { trips: 3 }]);
    expect(await rows(LEDGER)).toHaveLength(5);
  });

  test("a batch that is already current stays unchanged, even if the file holds others too", async () => {
    const { run, rows } = await warehouse();
    const both = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5), pair("EST", "2026-03-02", 1, 2, 41, 5));
    await run("odm_daily", "--file", both);
    await run("odm_daily", "--file", madeCsv(ODM, pair("EST", "2026-03-02", 1, 2, 99, 5)));
    const lines = await run("odm_daily", "--file", both);
    expect(lines).toContain("mobility.odm_daily 2026-03-01 EST: unchanged, version 1");
    expect(lines).toContain("Loaded mobility.odm_daily 2026-03-02 EST: 1 row, 0 below the threshold, version 3");
    expect(await rows(PAIRS)).toMatchObject([{ trips: 40 }, { trips: 41 }]);
  });

  test("another k makes the same file a new load", async () => {
    const { run, rows, setCountries } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    setCountries(({ EST, ...others }) => ({ ...others, EST: { ...EST, k: 6 } }));
    await run("odm_daily", "--file", file);
    expect(await rows(PAIRS)).toMatchObject([{ publishable: false }]);
  });

  test("hours belong to their civil day in the country", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(
      "country_code,link_id,time_bucket,direction,people,devices",
      "EST,1,2026-03-01T21:00:00Z,1,50,5",
      "EST,1,2026-03-01T22:00:00Z,-1,51,5",
    );
    await run("flows_hourly", "--file", file);
    const found = await rows(
      "SELECT FORMAT_DATE('%F', batch_date) AS batch_date, people FROM mobility.flows_hourly WHERE batch_date > '1970-01-01' ORDER BY people",
    );
    expect(found).toEqual([
      { batch_date: "2026-03-01", people: 50 },
      { batch_date: "2026-03-02", people: 51 },
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
    await rows("UPDATE mobility.batches SET version = 9223372036854775807 WHERE TRUE");
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

describe("concurrent imports", () => {
  test("of one batch leave the rows of one of them", async () => {
    const { run, rows } = await warehouse();
    const files = [40, 41, 42].map((trips) =>
      madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, trips, 5), pair("EST", "2026-03-01", 2, 1, trips, 5)),
    );
    await Promise.all(files.map((file) => run("odm_daily", "--file", file)));
    expect(
      await rows("SELECT COUNT(*) AS n, COUNT(DISTINCT trips) AS loads FROM mobility.odm_daily WHERE batch_date = '2026-03-01'"),
    ).toEqual([{ n: 2, loads: 1 }]);
    expect(await rows("SELECT version FROM mobility.batches ORDER BY version")).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  test("of the same file load it once", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await Promise.all([run("odm_daily", "--file", file), run("odm_daily", "--file", file)]);
    expect(await rows(LEDGER)).toMatchObject([{ version: 1, row_count: 1 }]);
    expect(await rows(PAIRS)).toHaveLength(1);
  });

  test("that doubled a batch are fixed by the next import of either file", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 40, 5));
    await run("odm_daily", "--file", file);
    await rows("INSERT INTO mobility.odm_daily SELECT * FROM mobility.odm_daily WHERE batch_date = '2026-03-01'");
    await rows("INSERT INTO mobility.batches SELECT * FROM mobility.batches");
    expect((await run("odm_daily", "--file", file)).join()).toContain("version 2");
    expect(await rows(PAIRS)).toHaveLength(1);
  });
});

describe("geographies", () => {
  const AREAS = [GEOGRAPHIES, "UTO,admin_level_4,1,One,,10,60", "UTO,admin_level_4,2,Two,,11,60"];

  test("replace only the country's rows of the types in the file", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS, "UTO,admin_level_2,9,Province,,10,60", "EST,admin_level_4,1,Other,,25,59"));
    const lines = await run("geographies", "--file", madeCsv(GEOGRAPHIES, "UTO,admin_level_4,2,Renamed,9,11,60"));
    expect(lines.at(-1)).toMatch(/^Loaded mobility.geographies UTO: 1 row, version 2$/);
    expect(await rows("SELECT country_code, geo_type, geo_id, geo_name FROM mobility.geographies ORDER BY 1, 2, 3")).toEqual([
      { country_code: "EST", geo_type: "admin_level_4", geo_id: 1, geo_name: "Other" },
      { country_code: "UTO", geo_type: "admin_level_2", geo_id: 9, geo_name: "Province" },
      { country_code: "UTO", geo_type: "admin_level_4", geo_id: 2, geo_name: "Renamed" },
    ]);
  });

  const DISTANCES =
    "SELECT origin_geo_id, ROUND(general_distance_m) AS metres FROM mobility.odm_daily WHERE batch_date = '2026-03-01' ORDER BY 1";

  test("provide the distances of pairs if the country's rule is centroids", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS));
    const lines = await run(
      "odm_daily",
      "--file",
      madeCsv(ODM, pair("UTO", "2026-03-01", 1, 2, 40, 50), pair("UTO", "2026-03-01", 2, 2, 40, 50)),
    );
    expect(lines.join()).not.toContain("Warning");
    // One degree of longitude at 60° N on a sphere of 6,371,010 m, along the great circle.
    expect(await rows(DISTANCES)).toEqual([
      { origin_geo_id: 1, metres: 55597 },
      { origin_geo_id: 2, metres: 0 },
    ]);
  });

  test("replace distances in a file, whose means over trips would tell those of withheld pairs", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS));
    const file = madeCsv(
      `${ODM},general_distance_m`,
      `${pair("UTO", "2026-03-01", 1, 2, 40, 50)},77`,
      `${pair("UTO", "2026-03-01", 2, 1, 40, 50)},`,
    );
    const lines = await run("odm_daily", "--file", file);
    expect(lines).toContain("Note: the file's column general_distance_m is ignored: the import computes it");
    expect(await rows(DISTANCES)).toEqual([
      { origin_geo_id: 1, metres: 55597 },
      { origin_geo_id: 2, metres: 55597 },
    ]);
  });

  test("change the distances of the same pairs after a correction", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("UTO", "2026-03-01", 1, 2, 40, 50));
    await run("odm_daily", "--file", file);
    expect(await rows(DISTANCES)).toEqual([{ origin_geo_id: 1, metres: null }]);
    await run("geographies", "--file", madeCsv(...AREAS));
    await run("odm_daily", "--file", file);
    expect(await rows(DISTANCES)).toEqual([{ origin_geo_id: 1, metres: 55597 }]);
  });

  test("of roads are lines on the globe", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv("country_code,link_id,name,class,geometry", 'EST,7,"",primary,"LINESTRING (24 59, 25 59)"');
    expect((await run("road_links", "--file", file)).at(-1)).toBe("Loaded mobility.road_links EST: 1 row, version 1");
    const near = "SELECT link_id FROM mobility.road_links WHERE ST_DWITHIN(geometry, ST_GEOGPOINT(24.5, 59.001), 2000)";
    expect(await rows(near)).toEqual([{ link_id: 7 }]);
  });
});

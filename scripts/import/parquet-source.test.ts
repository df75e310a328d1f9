import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, onTestFinished, test } from "vitest";
import { prepared, refusalOf } from "./testing/prepared.ts";

async function madeParquet(query: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "made.parquet");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

const FLOW =
  "'EST' AS country_code, 1.0::DOUBLE AS link_id, TIMESTAMPTZ '2026-03-01 10:00:00Z' AS time_bucket, 1::TINYINT AS direction, 5::DECIMAL(9, 2) AS people, 6::UINTEGER AS devices";

test("integers of any type and times are read exactly", async () => {
  const { rows } = await prepared(
    "flows_hourly",
    await madeParquet(`SELECT ${FLOW} UNION ALL BY NAME SELECT * REPLACE (41245153000000.0::DOUBLE AS link_id) FROM (SELECT ${FLOW})`),
  );
  expect(rows).toEqual([
    {
      country_code: "EST",
      link_id: "1",
      time_bucket: "2026-03-01 10:00:00+00",
      direction: "1",
      people: "5",
      devices: "6",
      batch_date: "2026-03-01",
    },
    expect.objectContaining({ link_id: "41245153000000" }),
  ]);
});

test("whole numbers that 32-bit floats may have rounded are refused, and other columns of these are read", async () => {
  const floats = (id: string): string => `SELECT * REPLACE (${id}::FLOAT AS link_id, 5::FLOAT AS people) FROM (SELECT ${FLOW})`;
  expect(await refusalOf("flows_hourly", await madeParquet(`${floats("16777217")} UNION ALL ${floats("7")}`))).toContain(
    "link_id: the file's column link_id is of 32-bit floats, which hold whole numbers exactly only below 16,777,216, and has larger ones; write them as integers or 64-bit floats",
  );
  const { rows } = await prepared("flows_hourly", await madeParquet(floats("16777215")));
  expect(rows).toMatchObject([{ link_id: "16777215", people: "5" }]);
});

test("a bad value is reported with row, column and value", async () => {
  const file = await madeParquet(`SELECT ${FLOW} UNION ALL BY NAME SELECT * REPLACE (3.5 AS people, 2 AS link_id) FROM (SELECT ${FLOW})`);
  expect(await refusalOf("flows_hourly", file)).toContain('row 2, column people: "3.50" is not a whole number');
});

test("a NULL in a required column is a missing value", async () => {
  expect(await refusalOf("flows_hourly", await madeParquet(`SELECT * REPLACE (NULL::BIGINT AS devices) FROM (SELECT ${FLOW})`))).toContain(
    "row 1, column devices: a value is missing",
  );
});

test("a time without a zone is rejected", async () => {
  const file = await madeParquet(`SELECT * REPLACE (TIMESTAMP '2026-03-01 10:00:00' AS time_bucket) FROM (SELECT ${FLOW})`);
  expect(await refusalOf("flows_hourly", file)).toContain("time_bucket: the file's column time_bucket has times without an offset");
});

test("midnight is a date, as pandas writes dates, and another time is none", async () => {
  const file = (time: string) => madeParquet(`SELECT *, TIMESTAMP '${time}' AS batch_date FROM (SELECT ${FLOW})`);
  expect((await prepared("flows_hourly", await file("2026-03-01 00:00:00"))).rows).toMatchObject([{ batch_date: "2026-03-01" }]);
  expect(await refusalOf("flows_hourly", await file("2026-03-01 00:00:01"))).toContain(
    'row 1, column batch_date: "2026-03-01 00:00:01" is not a date',
  );
});

describe("outlines of GeoParquet", () => {
  const area = (system: string) =>
    madeParquet(`SELECT 'EST' AS country_code, 'admin_level_4' AS geo_type, 1 AS geo_id, 'x' AS geo_name, 24.5 AS lon, 59.5 AS lat,
      'POLYGON((24 59, 25 59, 25 60, 24 59))'::GEOMETRY${system} AS geometry`);
  const projection = (type: string, name: string, code?: number) =>
    `('${JSON.stringify({ type, name, ...(code === undefined ? {} : { id: { authority: "EPSG", code } }) })}')`;

  test.each([
    ["of no system", ""],
    ["in CRS84", "('OGC:CRS84')"],
    ["in WGS 84", projection("GeographicCRS", "WGS 84", 4326)],
  ])("%s are read", async (_, system) => {
    expect((await prepared("geographies", await area(system))).rows).toMatchObject([
      { geometry: "POLYGON ((24 59, 25 59, 25 60, 24 59))" },
    ]);
  });

  test.each([
    ["EPSG:3301", projection("ProjectedCRS", "Estonian Coordinate System of 1997", 3301)],
    ["Our city's grid", projection("ProjectedCRS", "Our city''s grid")],
  ])("in another system are refused: %s", async (name, system) => {
    expect(await refusalOf("geographies", await area(system))).toContain(
      `geometry: the file's column geometry is in ${name}; write longitude and latitude, EPSG:4326`,
    );
  });
});

test("a list or blob column is rejected if it is used", async () => {
  const file = await madeParquet(`SELECT *, [1, 2] AS extra FROM (SELECT ${FLOW})`);
  expect((await prepared("flows_hourly", file)).rows).toHaveLength(1);
  expect(await refusalOf("flows_hourly", file, "--column", "people=extra")).toContain(
    "people: the file's column extra is of type INTEGER[]",
  );
});

test("a file without rows is rejected", async () => {
  expect(await refusalOf("flows_hourly", await madeParquet(`SELECT ${FLOW} LIMIT 0`))).toBe("FILE has no rows");
});

describe("a folder of the parts of a file, as Spark writes it", () => {
  /** Makes a folder with a part of flows for each name, of these links. */
  async function folderOf(parts: Readonly<Record<string, readonly number[]>>, columns = FLOW): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "populus-import-parts-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, links] of Object.entries(parts)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      const query = `SELECT ${columns.replace("1.0::DOUBLE AS link_id", "link_id::BIGINT AS link_id")} FROM (SELECT unnest(${JSON.stringify(links)}::BIGINT[]) AS link_id)`;
      copyFileSync(await madeParquet(query), join(folder, name));
    }
    return folder;
  }
  const WITHOUT_COUNTRY = FLOW.replace("'EST' AS country_code, ", "");

  test("is read in the order of the names, without what begins with _ or .", async () => {
    const parts = {
      "part-1.parquet": [3, 1],
      "part-0.parquet": [2],
      "_temporary/0/part-9.parquet": [7],
      ".part-8.parquet": [8],
      "part-2.parquet": [],
    };
    const { rows } = await prepared("flows_hourly", await folderOf(parts));
    expect(rows.map(({ link_id: link }) => link)).toEqual(["2", "3", "1"]);
  });

  test("has columns in the names of its folders", async () => {
    const parts = { "country_code=EST/part-0.parquet": [1], "country_code=UTO/part-0.parquet": [1] };
    const { rows } = await prepared("flows_hourly", await folderOf(parts, WITHOUT_COUNTRY));
    expect(rows.map(({ country_code: country }) => country)).toEqual(["EST", "UTO"]);
  });

  test("is told apart by its content, not by its place", async () => {
    const checksumOf = async (links: readonly number[], name = "part-0.parquet") =>
      (await prepared("flows_hourly", await folderOf({ [name]: links }))).checksum;
    expect(await checksumOf([1, 2])).toBe(await checksumOf([1, 2]));
    expect(await checksumOf([1, 2])).not.toBe(await checksumOf([2, 1]));
    // Of the same bytes.
    expect(await checksumOf([1], "direction=1/part-0.parquet")).not.toBe(await checksumOf([1], "direction=-1/part-0.parquet"));
  });

  test("has errors by part and row", async () => {
    const says = await refusalOf("flows_hourly", await folderOf({ "a.parquet": [1, 2], "b [1]*.parquet": [3, -4, 1] }));
    expect(says).toContain("b [1]*.parquet, row 2, column link_id: ");
    expect(says).toContain("b [1]*.parquet, row 3");
    expect(says).toContain("as a.parquet, row 1");
  });

  test("is refused if a part is broken", async () => {
    const folder = await folderOf({ "a.parquet": [1] });
    writeFileSync(join(folder, "b.parquet"), "PAR1 and nothing else");
    expect(await refusalOf("flows_hourly", folder)).toMatch(/^FILE is no whole Parquet file: .*b\.parquet/);
  });
});

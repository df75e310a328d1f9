import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientQuery } from "../../../../shared/google/bigquery.ts";
import type { ActivitiesRequest } from "../../../../shared/products/activities.ts";
import { parseCountryTable } from "../../../../shared/products/countries.ts";
import type { OdmRequest } from "../../../../shared/products/odm.ts";
import { exportColumns, exportStatement } from "../../../../shared/products/product-query.ts";
import type { Format } from "../../../../shared/products/request-fields.ts";
import type { DataVersion } from "../../../../shared/products/result-meta.ts";
import { queryOf } from "../../../../shared/products/testing/query-of.ts";
import builtIn from "../../../countries.json" with { type: "json" };
import { makeTables } from "../../../local/tables.ts";
import { BUCKET, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const COUNTRIES = parseCountryTable("infra/countries.json", builtIn);
/** The name of geography 1, 2, … */
const NAMES = ["Rīga", 'Ķekavas "vecā" muiža', "Cēsis, Priekuļi", "divas\nrindas", "Ōgre\r\n'ÄÖÜ'", "; | \t # ščļņ"];
const FILES: Readonly<Record<Format, string>> = { csv: "csv.gz", json: "json.gz", parquet: "parquet" };

const Written = v.object({
  statistics: v.object({ query: v.object({ exportDataStatistics: v.object({ rowCount: v.string() }) }) }),
});

let warehouse: WarehouseUnderTest;
let directory: string;
let reader: DuckDBConnection;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  const names = `(SELECT unnest([${NAMES.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ")}]) AS geo_name, unnest(range(1, ${NAMES.length + 1})) AS geo_id)`;
  await connection.run(
    `INSERT INTO mobility.geographies BY NAME SELECT 'LAT' AS country_code, 'grid_1000m' AS geo_type, geo_id, geo_name, 24 AS lon, 57 AS lat FROM ${names}`,
  );
  await connection.run(`INSERT INTO mobility.activities_hourly BY NAME SELECT 'LAT' AS country_code, 'grid_1000m' AS geo_type, geo_id,
    TIMESTAMPTZ '2026-01-05 10:00:00+00' AS time_bucket, 3000000000 + geo_id AS people, 1 AS stays_count, 2 AS stays_dwell_minutes,
    3 AS stays_devices, DATE '2026-01-05' AS batch_date FROM ${names}`);
  await connection.run(`INSERT INTO mobility.odm_daily BY NAME SELECT 'LAT' AS country_code, DATE '2026-01-05' AS batch_date, 'grid_1000m' AS origin_geo_type,
    geo_id AS origin_geo_id, 'grid_1000m' AS destination_geo_type, 2 * geo_id AS destination_geo_id, 7 AS trips,
    nullif(geo_id, 2) + 0.5 AS general_distance_m, 12 AS average_speed_kmh FROM ${names}`);
  connection.closeSync();
  directory = await mkdtemp(join(tmpdir(), "populus-readers-"));
  // A default DuckDB, as a customer has it: not the warehouse's, and without options.
  reader = await (await DuckDBInstance.create(":memory:")).connect();
});

afterAll(async () => {
  reader.closeSync();
  await warehouse.close();
  await rm(directory, { recursive: true, force: true });
});

const COMMON = { country_code: "LAT", start_time: "2026-01-05T00:00:00.000Z", end_time: "2026-01-06T00:00:00.000Z", full: true } as const;

function requestOf(product: "activities" | "odm", format: Format): ActivitiesRequest | OdmRequest {
  if (product === "activities")
    return {
      ...COMMON,
      agg_type: "activities",
      activity_type: "hourly",
      measure: "sum_unique_people",
      geo_type: "grid_1000m",
      geo_ids: null,
      format,
    };
  return {
    ...COMMON,
    agg_type: "odm",
    activity_type: "daily",
    measure: "trips",
    origin_geo_type: "grid_1000m",
    destination_geo_type: "grid_1000m",
    origin_geo_ids: null,
    destination_geo_ids: null,
    format,
  };
}

/** Exports a product as the service does and returns the file as the customer receives it. */
async function exported(
  product: "activities" | "odm",
  format: Format,
  versions: readonly DataVersion[] = [],
): Promise<{ file: string; columns: string[]; rows: number }> {
  const query = queryOf(requestOf(product, format), COUNTRIES);
  const prefix = `${product}/part-`;
  const [job] = await warehouse.client.createQueryJob(clientQuery(exportStatement(query, versions, { format, bucket: BUCKET, prefix })));
  await job.getQueryResults();
  const [metadata] = await job.getMetadata();
  const name = `${prefix}000000000000.${FILES[format]}`;
  const file = join(directory, name.replace("/", "-"));
  await copyFile(warehouse.store.read(BUCKET, name).path, file);
  const { rowCount } = v.parse(Written, metadata).statistics.query.exportDataStatistics;
  return { file, columns: exportColumns(query, format).map((column) => column.name), rows: Number(rowCount) };
}

async function described(file: string): Promise<{ names: unknown[]; types: unknown[] }> {
  const rows = (await reader.runAndReadAll(`DESCRIBE FROM '${file}'`)).getRows();
  return { names: rows.map(([name]) => name), types: rows.map(([, type]) => type) };
}

async function rowsOf(file: string): Promise<unknown> {
  return (await reader.runAndReadAll(`FROM '${file}' ORDER BY ALL`)).getRowsJson();
}

describe.each([
  { product: "activities", types: ["BIGINT", "TIMESTAMP WITH TIME ZONE", "BIGINT", "VARCHAR", "VARCHAR"] },
  { product: "odm", types: ["DATE", "BIGINT", "BIGINT", "DOUBLE", "DOUBLE", "BIGINT"] },
] as const)("an export of $product", ({ product, types }) => {
  it.each(["parquet", "csv"] as const)(
    "as %s opens without options, with the documented columns in order and with their types",
    async (format) => {
      const { file, columns } = await exported(product, format);
      expect(await described(file)).toEqual({ names: columns, types });
    },
  );

  it("contains the same rows in every format", async () => {
    const [csv, parquet] = [await exported(product, "csv"), await exported(product, "parquet")];
    const rows = await rowsOf(parquet.file);
    expect(rows).toHaveLength(NAMES.length);
    expect(await rowsOf(csv.file)).toEqual(rows);
  });
});

it.each(["csv", "json", "parquet"] as const)(
  "names with quotes, commas, line breaks and other letters are the same after %s",
  async (format) => {
    const { file } = await exported("activities", format);
    const rows = (await reader.runAndReadAll(`SELECT geo_name FROM '${file}' ORDER BY geo_id::BIGINT`)).getRows();
    expect(rows.map(([name]) => name)).toEqual(NAMES);
  },
);

describe("an export of data versions", () => {
  it("has all rows if the ledger has these versions, and none otherwise", async () => {
    const connection = await warehouse.connection();
    const batch = (day: string, version: number) =>
      connection.run(`INSERT INTO mobility.batches BY NAME
      SELECT 'LAT' AS country_code, 'odm_daily' AS table_name, DATE '${day}' AS batch_date, ${version} AS version, 6 AS row_count, now() AS loaded_at`);
    const [first, second] = [
      { batch_date: "2026-01-05", version: 1 },
      { batch_date: "2026-01-05", version: 2 },
    ];
    const rowsOfVersions = async (...versions: DataVersion[]) => (await exported("odm", "csv", versions)).rows;
    for (const day of ["2026-01-04", "2026-01-05"]) await batch(day, 1);
    expect([await rowsOfVersions(), await rowsOfVersions(first), await rowsOfVersions(second)]).toEqual([0, NAMES.length, 0]);
    await batch("2026-01-05", 2);
    expect([await rowsOfVersions(first), await rowsOfVersions(second)]).toEqual([0, NAMES.length]);
    await connection.run("DELETE FROM mobility.batches");
    connection.closeSync();
  });
});

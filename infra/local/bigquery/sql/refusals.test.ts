import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultOf, type Refusal, resultOf } from "../../../testing/contracts/bigquery/query-values.ts";
import * as refusals from "../../../testing/contracts/bigquery/values/refusals.ts";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../testing/engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.t (x INT64);
`;

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
});

afterAll(() => warehouse.close());

const TABLES: Readonly<Record<string, readonly Refusal[]>> = {
  "unsupported functions": refusals.UNTRANSLATED_FUNCTIONS,
  "misspelt functions": refusals.MISSPELT_FUNCTIONS,
  "functions of DuckDB": refusals.DUCKDB_FUNCTIONS,
  "table functions": refusals.TABLE_FUNCTIONS,
  statements: refusals.STATEMENTS,
  syntax: refusals.SYNTAX,
  "another meaning": refusals.MEANINGS,
  "failures while running": refusals.FAILURES,
};

describe.each(Object.entries(TABLES))("%s", (_, cases) => {
  it.each(cases.map(([sql, message]) => ({ sql, message })))("$sql", async ({ sql, message }) => {
    expect(await faultOf(warehouse, sql)).toEqual({ code: 400, reason: "invalidQuery", message: expect.stringContaining(message) });
  });
});

describe("a name that is not a table of the warehouse", () => {
  it.each([
    ["`/etc/passwd`", 400, "invalid", "/etc/passwd"],
    ["`../x.parquet`", 400, "invalidQuery", "Invalid empty identifier"],
    ["`/tmp/x.csv`", 404, "notFound", "/tmp/x"],
    ["`data.csv`", 404, "notFound", `${PROJECT}:data`],
    ["information_schema.tables", 400, "invalid", "must be qualified with a dataset"],
    ["main.information_schema.tables", 404, "notFound", "main"],
    ["pg_catalog.pg_class", 404, "notFound", "pg_catalog"],
    ["main.duckdb_tables", 404, "notFound", "main"],
    ["bigquery_metadata.tables", 404, "notFound", "bigquery_metadata"],
    ["bigquery_streamed.`facts.t`", 404, "notFound", "bigquery_streamed"],
    ["statistics.main.t", 404, "notFound", "statistics"],
    ["facts.T", 404, "notFound", "facts.T"],
    ["facts.`t;x`", 404, "notFound", "t;x"],
  ])("%s", async (name, code, reason, part) => {
    expect(await faultOf(warehouse, `SELECT * FROM ${name}`)).toEqual({ code, reason, message: expect.stringContaining(part) });
  });
});

it("refuses a text of more than 1,048,576 characters, with its comments", async () => {
  const textOf = (length: number) => `SELECT 1 --${"x".repeat(length - "SELECT 1 --".length)}`;
  expect(await resultOf(warehouse, textOf(1_048_576))).toEqual(["INTEGER", "1"]);
  expect(await faultOf(warehouse, textOf(1_120_668))).toEqual({
    code: 400,
    reason: "invalid",
    message:
      "The query is too large (1094.40K characters, 72092 characters over the limit). The maximum standard SQL query length is 1024.00K characters, including comments and white space characters.",
  });
});

it("rejects a deeply nested query without crashing the server", async () => {
  const deep = `SELECT ${"(".repeat(20_000)}1${")".repeat(20_000)}`;
  expect(await faultOf(warehouse, deep)).toMatchObject({ code: 400, reason: "resourcesExceeded" });
});

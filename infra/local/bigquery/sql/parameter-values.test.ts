import {
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBTimestampTZValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { expect, it } from "vitest";
import { literalOf, withLiterals } from "./parameter-values.ts";

it("replaces parameters, but nothing inside a text or a name", () => {
  const literals = new Map([
    ["p", "'it''s $q'"],
    ["q", "NULL"],
  ]);
  const sql = `SELECT $p, '$p', 'it''s $p', "a ""$p""", $q + $pq, $other`;
  expect(withLiterals(sql, literals)).toBe(`SELECT 'it''s $q', '$p', 'it''s $p', "a ""$p""", NULL + $pq, $other`);
});

it.each<readonly [type: string, value: DuckDBValue]>([
  ["VARCHAR", 'it\'s "$p" \n \u{1F600} -- ;'],
  ["VARCHAR", ""],
  ["BIGINT", -(2n ** 63n)],
  ["BIGINT", 2n ** 63n - 1n],
  ["BOOLEAN", false],
  ["DATE", new DuckDBDateValue(-719_162)],
  ["DATE", new DuckDBDateValue(2_932_896)],
  ["TIMESTAMPTZ", new DuckDBTimestampTZValue(1_767_323_045_000_006n)],
  ["TIMESTAMPTZ", new DuckDBTimestampTZValue(-1n)],
  ["TIMESTAMPTZ", new DuckDBTimestampTZValue(-62_135_596_800_000_000n)],
  ["VARCHAR", null],
  ["BIGINT[]", new DuckDBListValue([3n, null, -1n])],
  ["VARCHAR[]", new DuckDBListValue([])],
])("writes %s %s as DuckDB reads it", async (type, value) => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const reader = await connection.runAndReadAll(`SELECT CAST(${literalOf(value)} AS ${type}) AS read`);
  connection.closeSync();
  instance.closeSync();
  expect(reader.getRows()).toEqual([[value]]);
});

it("leaves long lists, texts with a NUL and other types to be bound", () => {
  expect(literalOf(new DuckDBListValue(Array.from({ length: 1000 }, (_, index) => BigInt(index))))).toBeUndefined();
  expect(literalOf(new DuckDBListValue([new DuckDBTimeValue(1n)]))).toBeUndefined();
  expect(literalOf("a\0b")).toBeUndefined();
  expect(literalOf(0.1)).toBeUndefined();
});

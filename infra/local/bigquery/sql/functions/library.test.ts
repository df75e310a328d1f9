import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Case, resultOf } from "../../../../testing/contracts/bigquery/query-values.ts";
import { AGGREGATES, GEOGRAPHIES, WINDOWS } from "../../../../testing/contracts/bigquery/values/aggregates.ts";
import { ANALYTICS, RANGES, STATISTICS } from "../../../../testing/contracts/bigquery/values/analytics.ts";
import { DASHBOARDS } from "../../../../testing/contracts/bigquery/values/dashboards.ts";
import { DATES, EXTRACTS, INTERVALS } from "../../../../testing/contracts/bigquery/values/dates.ts";
import { DATETIMES } from "../../../../testing/contracts/bigquery/values/datetimes.ts";
import { CASTS, NUMBERS, SAFES } from "../../../../testing/contracts/bigquery/values/numbers.ts";
import { PRINTF } from "../../../../testing/contracts/bigquery/values/printf.ts";
import { QUERIES } from "../../../../testing/contracts/bigquery/values/queries.ts";
import { ARRAYS, CONDITIONS, ORDERS } from "../../../../testing/contracts/bigquery/values/rows.ts";
import { SHAPES } from "../../../../testing/contracts/bigquery/values/shapes.ts";
import { JSONS, LITERALS, REGEXPS, TEXTS } from "../../../../testing/contracts/bigquery/values/texts.ts";
import { TIMESTAMPS } from "../../../../testing/contracts/bigquery/values/timestamps.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../../../testing/engines/warehouse-under-test.ts";
import { FUNCTION_NAMES } from "./library.ts";

const TABLES: Readonly<Record<string, readonly Case[]>> = {
  numbers: NUMBERS,
  casts: CASTS,
  safe: SAFES,
  analytics: ANALYTICS,
  ranges: RANGES,
  intervals: INTERVALS,
  statistics: STATISTICS,
  regexps: REGEXPS,
  jsons: JSONS,
  texts: TEXTS,
  literals: LITERALS,
  dates: DATES,
  extracts: EXTRACTS,
  datetimes: DATETIMES,
  printf: PRINTF,
  queries: QUERIES,
  dashboards: DASHBOARDS,
  timestamps: TIMESTAMPS,
  conditions: CONDITIONS,
  arrays: ARRAYS,
  orders: ORDERS,
  aggregates: AGGREGATES,
  windows: WINDOWS,
  geographies: GEOGRAPHIES,
  shapes: SHAPES,
};

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
});

afterAll(() => warehouse.close());

describe.each(Object.entries(TABLES))("%s", (_, cases) => {
  it.each(cases.map(([sql, type, value]) => ({ sql, type, value })))("$sql", async ({ sql, type, value }) => {
    expect(await resultOf(warehouse, sql)).toEqual([type, value]);
  });
});

it("has a value for every function of the allow-list", () => {
  const called = new Set(
    Object.values(TABLES).flatMap((cases) => cases.flatMap(([sql]) => [...sql.matchAll(/\b([A-Z][A-Z0-9_]*)\(/g)].map(([, name]) => name))),
  );
  expect(FUNCTION_NAMES.filter((name) => !called.has(name))).toEqual([]);
});

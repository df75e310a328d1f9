import { afterAll, beforeAll, expect, it } from "vitest";
import { resultOf, type WireValue } from "../../../testing/contracts/bigquery/query-values.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../../testing/engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
});

afterAll(() => warehouse.close());

function scalar(type: string, value?: string): object[] {
  return [{ name: "p", parameterType: { type }, parameterValue: value === undefined ? {} : { value } }];
}

/** Positional parameters of the type INT64. */
function positional(...values: readonly string[]): object[] {
  return values.map((value) => ({ parameterType: { type: "INT64" }, parameterValue: { value } }));
}

function array(type: object, arrayValues: readonly object[]): object[] {
  return [{ name: "p", parameterType: { type: "ARRAY", arrayType: type }, parameterValue: { arrayValues } }];
}

const CELL = {
  type: "STRUCT",
  structTypes: [
    { name: "cell", type: { type: "INT64" } },
    { name: "weight", type: { type: "FLOAT64" } },
  ],
};

it.each<readonly [sql: string, parameters: object[], type: string, value: WireValue]>([
  ["@p", scalar("INT64", "9223372036854775807"), "INTEGER", "9223372036854775807"],
  ["@P + 1", scalar("INT64", "1"), "INTEGER", "2"],
  ["@p", scalar("FLOAT64", "0.1"), "FLOAT", "0.1"],
  // The client sends it so: as a number, which JSON may write with an exponent.
  ["@p", [{ name: "p", parameterType: { type: "FLOAT64" }, parameterValue: { value: -1e-7 } }], "FLOAT", "-1.0E-7"],
  ["@p / 2", [{ name: "p", parameterType: { type: "FLOAT64" }, parameterValue: { value: 60 } }], "FLOAT", "30.0"],
  ["@p", scalar("FLOAT64", "NaN"), "FLOAT", "NaN"],
  ["@p", scalar("NUMERIC", "0.1"), "NUMERIC", "0.1"],
  ["@p", scalar("BOOL", "true"), "BOOLEAN", "true"],
  ["@p", scalar("STRING", 'it\'s "@p" $p'), "STRING", 'it\'s "@p" $p'],
  ["'@p'", scalar("STRING", "x"), "STRING", "@p"],
  ["LENGTH(@p)", scalar("STRING", "a\0b"), "INTEGER", "3"],
  ["@p", scalar("BYTES", "/w=="), "BYTES", "/w=="],
  ["@p", scalar("DATE", "2026-01-02"), "DATE", "2026-01-02"],
  ["@p", scalar("TIMESTAMP", "2026-01-02 03:04:05+02:00"), "TIMESTAMP", "2026-01-02T01:04:05Z"],
  ["@p", scalar("TIMESTAMP", "1969-12-31T23:59:59.999999Z"), "TIMESTAMP", "1969-12-31T23:59:59.999999Z"],
  ["@p", scalar("DATETIME", "2026-01-02T03:04:05"), "DATETIME", "2026-01-02T03:04:05"],
  ["@p", scalar("TIME", "03:04:05"), "TIME", "03:04:05"],
  // A parameter without a value is null: the client sends a DATE passed as a plain string this way.
  ["@p", scalar("DATE"), "DATE", null],
  // A string parameter coerces to a date, as a literal does.
  ["DATE '2026-01-02' = @p", scalar("STRING", "2026-01-02"), "BOOLEAN", "true"],
  ["DATE_SUB(DATE '2026-01-02', INTERVAL @p DAY)", scalar("STRING", "1"), "DATE", "2026-01-01"],
  ["SELECT DISTINCT PERCENTILE_CONT(x, @p) OVER () FROM UNNEST([1, 2, 3, 4]) AS x", scalar("FLOAT64", "0.25"), "FLOAT", "1.75"],
  ["SELECT DISTINCT PERCENTILE_DISC(x, @p) OVER () FROM UNNEST(['a', 'b', 'c']) AS x", scalar("INT64", "1"), "STRING", "c"],
  ["@p", array({ type: "INT64" }, [{ value: "2" }, { value: "1" }]), "INTEGER[]", ["2", "1"]],
  [
    "ARRAY_LENGTH(@p)",
    array(
      { type: "INT64" },
      Array.from({ length: 1000 }, (_, value) => ({ value: String(value) })),
    ),
    "INTEGER",
    "1000",
  ],
  ["2 IN UNNEST(@p)", array({ type: "INT64" }, [{ value: "2" }]), "BOOLEAN", "true"],
  ["ARRAY_LENGTH(@p)", array({ type: "STRING" }, []), "INTEGER", "0"],
  [
    "ARRAY(SELECT x FROM UNNEST(@p) AS x WITH OFFSET AS o ORDER BY o DESC)",
    array({ type: "STRING" }, [{ value: "a" }, { value: "b" }]),
    "STRING[]",
    ["b", "a"],
  ],
  [
    "SELECT SUM(c.cell * c.weight) FROM UNNEST(@p) AS c",
    array(CELL, [
      { structValues: { cell: { value: "3" }, weight: { value: "0.5" } } },
      { structValues: { cell: { value: "4" }, weight: { value: "1" } } },
    ]),
    "FLOAT",
    "5.5",
  ],
  ["SELECT x FROM UNNEST([3, 1, 2]) AS x ORDER BY x LIMIT @p", scalar("INT64", "1"), "INTEGER", "1"],
  ["? - ?", positional("7", "2"), "INTEGER", "5"],
  [
    "SELECT '?' || CAST(x AS STRING) FROM UNNEST([?, ?, ?]) AS x ORDER BY x LIMIT ? OFFSET ?",
    positional("3", "1", "2", "1", "1"),
    "STRING",
    "?2",
  ],
])("%s with %j", async (sql, parameters, type, value) => {
  expect(await resultOf(warehouse, sql, parameters)).toEqual([type, value]);
});

it.each<readonly [sql: string, parameters: object[], message: string]>([
  ["SELECT ? + ?", positional("1"), "Query parameter number 2 is not defined at [1:12]"],
  ["SELECT ?", [], "Positional parameters are not supported at [1:8]"],
  ["SELECT ?", scalar("INT64", "1"), "Positional parameters are not supported at [1:8]"],
  [
    "SELECT PERCENTILE_CONT(x, @p) OVER () FROM UNNEST([1, 2]) AS x",
    scalar("FLOAT64", "-0.25"),
    "The second argument to the function PERCENTILE_CONT or PERCENTILE_DISC must be between 0 and 1",
  ],
  ["SELECT @p", positional("1"), "Named parameters are not supported at [1:8]"],
  ["SELECT @p", [...scalar("INT64", "1"), ...positional("1")], "Query parameters must be either all named or all positional"],
])("%s with %j is refused", async (query, parameters, message) => {
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/demo-local/queries`, {
    method: "POST",
    headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}`, "content-type": "application/json" },
    body: JSON.stringify({ query, useLegacySql: false, queryParameters: parameters }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { message } }]);
});

import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../../testing/engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
  await client.query(`
    CREATE TABLE facts.lists (id INT64, more INT64, words ARRAY<STRING>, numbers ARRAY<FLOAT64>, texts STRING);
    INSERT INTO facts.lists VALUES
      (1, 10, ['b', 'a', 'c'], [2.5, -1, 7], '4 9,1 8'),
      (2, 20, [], [], ''),
      (3, NULL, NULL, NULL, NULL),
      (4, 40, ['z'], [CAST('nan' AS FLOAT64), 3], '5 x'),
      (5, 50, ['a'], [CAST('inf' AS FLOAT64), CAST('-inf' AS FLOAT64)], '-7 6');
  `);
});

afterAll(() => warehouse.close());

/** Returns the values of an expression by id. */
async function values(expression: string): Promise<unknown[]> {
  const [found] = await client.query({ query: `SELECT ${expression} AS value FROM facts.lists AS l ORDER BY id`, location: LOCATION });
  return found.map(({ value }) => value);
}

describe("the least and the greatest of an array", () => {
  it.each([
    ["MIN(w)", "UNNEST(words) AS w", ["a", null, null, "z", "a"]],
    ["MAX(w)", "UNNEST(l.words) AS w", ["c", null, null, "z", "a"]],
    ["MIN(n)", "UNNEST(numbers) AS n", [-1, null, null, Number.NaN, Number.NEGATIVE_INFINITY]],
    ["MAX(n)", "UNNEST(numbers) AS n", [7, null, null, Number.NaN, Number.POSITIVE_INFINITY]],
    ["MIN(IF(n > 0, n, NULL))", "UNNEST(numbers) AS n", [2.5, null, null, 3, Number.POSITIVE_INFINITY]],
    ["MAX(LENGTH(w) + more)", "UNNEST(words) AS w", [11, null, null, 41, 51]],
    ["MIN(CAST(t AS INT64))", "UNNEST(REGEXP_EXTRACT_ALL(texts, r'([^, ]+) ')) AS t", [1, null, null, 5, -7]],
    ["MAX(SAFE_CAST(t AS FLOAT64))", "UNNEST(REGEXP_EXTRACT_ALL(texts, r' ([^,]+)')) AS t", [9, null, null, null, 6]],
    [
      "MIN(DATE_ADD(DATE '2026-01-01', INTERVAL d DAY))",
      "UNNEST([id, 2]) AS d",
      ["2026-01-02", "2026-01-03", "2026-01-03", "2026-01-03", "2026-01-03"],
    ],
    ["MAX(TIMESTAMP(CONCAT('2026-01-0', x, ' 12:00:00+02')) < TIMESTAMP '2026-01-02')", "UNNEST(['1', '2']) AS x", Array(5).fill(true)],
    ["MAX(x)", "UNNEST(ARRAY(SELECT id + y FROM UNNEST([1, 2]) AS y)) AS x", [3, 4, 5, 6, 7]],
    ["MAX((SELECT MIN(x + y) FROM UNNEST([id, 2]) AS y))", "UNNEST([10, 20]) AS x", [21, 22, 22, 22, 22]],
  ])("%s of %s is what a subquery with WHERE finds", async (extreme, from, expected) => {
    const plain = (found: readonly unknown[]): unknown[] =>
      found.map((value) => (typeof value === "object" && value !== null && "value" in value ? value.value : value));
    expect(plain(await values(`(SELECT ${extreme} FROM ${from})`))).toEqual(expected);
    expect(plain(await values(`(SELECT ${extreme} FROM ${from} WHERE TRUE)`))).toEqual(expected);
  });

  it("has the errors of its values", async () => {
    await expect(values("(SELECT MIN(CAST(t AS INT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(texts, r' ([^,]+)')) AS t)")).rejects.toThrow(
      "Bad int64 value: x",
    );
    await expect(values("(SELECT MIN(w) FROM UNNEST(id) AS w)")).rejects.toThrow("Values referenced in UNNEST must be arrays");
    await expect(values("(SELECT MIN(nothing) FROM UNNEST(words) AS w)")).rejects.toThrow("nothing");
    await expect(values("(SELECT MIN([w]) FROM UNNEST(words) AS w)")).rejects.toThrow("MIN");
  });

  it("may filter rows, and is one value beside an array that does not fit into one", async () => {
    const [found] = await client.query({
      query: "SELECT id FROM facts.lists WHERE (SELECT MAX(n) FROM UNNEST(numbers) AS n) > 5 ORDER BY id",
      location: LOCATION,
    });
    expect(found).toEqual([{ id: 1 }, { id: 5 }]);
    await expect(values("(SELECT n FROM UNNEST(numbers) AS n)")).rejects.toThrow();
  });
});

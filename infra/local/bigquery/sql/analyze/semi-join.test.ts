import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../../testing/engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
  await client.query(`
    CREATE TABLE facts.stock (id INT64, place STRING, amount INT64, tags ARRAY<STRING>);
    INSERT INTO facts.stock VALUES (1, 'a', 10, ['x', 'y']), (2, 'b', 20, []), (3, NULL, NULL, NULL);
    CREATE TABLE facts.days (day DATE NOT NULL, n INT64) PARTITION BY day OPTIONS (require_partition_filter = TRUE);
  `);
});

afterAll(() => warehouse.close());

/** Returns the rows as lists of their values. */
async function rows(query: string): Promise<unknown[]> {
  const [found] = await client.query({ query, location: LOCATION });
  return found.map((row) => Object.values(row));
}

function refused(query: string, message: string): Promise<void> {
  return expect(client.query(query)).rejects.toThrow(message);
}

describe("EXISTS with equal columns in WHERE", () => {
  const PAIRS = "(SELECT 1 AS id, 'a' AS place UNION ALL SELECT 3, NULL UNION ALL SELECT 2, 'x')";
  const sameRow = `EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND s.place = p.place)`;
  const ids = (condition: string): Promise<unknown[]> => rows(`SELECT id FROM facts.stock AS s WHERE ${condition} ORDER BY id`);

  it("finds rows whose values are equal, where a null equals nothing", async () => {
    expect(await ids(sameRow)).toEqual([[1]]);
    expect(await ids(`NOT ${sameRow}`)).toEqual([[2], [3]]);
    expect(await ids(`(${sameRow}) IS FALSE`)).toEqual([[2], [3]]);
    expect(await ids(`IF(${sameRow}, FALSE, TRUE)`)).toEqual([[2], [3]]);
    expect(await ids(`${sameRow} OR amount = 20`)).toEqual([[1], [2]]);
    expect(await ids(`${sameRow} AND amount > 10`)).toEqual([]);
    expect(await rows(`SELECT s.id, ${sameRow} FROM facts.stock AS s ORDER BY s.id`)).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
  });

  it("has conditions on its own rows, other comparisons and subqueries of its own", async () => {
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND p.place <> 'x')`)).toEqual([[1]]);
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND p.place <> s.place)`)).toEqual([[2]]);
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id < s.id AND p.place = s.place)`)).toEqual([]);
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = 4 - s.id AND p.place IS NULL)`)).toEqual([[1]]);
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND p.id = s.amount / 10)`)).toEqual([[1], [2]]);
    expect(await ids("EXISTS (SELECT 1 FROM UNNEST(s.tags) AS tag WHERE tag = 'x' AND LENGTH(tag) = s.id)")).toEqual([[1]]);
    const nested = `SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND ${sameRow}`;
    expect(await ids(`EXISTS (${nested})`)).toEqual([[1]]);
    expect(await ids(`EXISTS (SELECT COUNT(*) FROM ${PAIRS} AS p WHERE p.id = s.id AND p.place = s.place)`)).toEqual([[1], [2], [3]]);
    expect(await ids(`EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id LIMIT 0)`)).toEqual([]);
  });

  it("compares no value with NaN, and a number with a fraction as it is", async () => {
    const nan = "(SELECT IEEE_DIVIDE(0, 0) AS x)";
    expect(await rows(`SELECT 1 FROM ${nan} AS a WHERE EXISTS (SELECT 1 FROM ${nan} AS b WHERE b.x = a.x)`)).toEqual([]);
    expect(await ids("EXISTS (SELECT 1 FROM (SELECT 1.5 AS half) AS p WHERE p.half = s.id)")).toEqual([]);
  });

  it("still needs a partition filter, and is refused for what is not a condition", async () => {
    await refused(
      "SELECT 1 FROM facts.stock s WHERE EXISTS (SELECT 1 FROM facts.days d WHERE d.n = s.id)",
      "without a filter over column(s) 'day'",
    );
    await refused(
      `SELECT 1 FROM facts.stock s WHERE EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.id AND p.id)`,
      "should return type BOOL",
    );
    await refused(`SELECT 1 FROM facts.stock s WHERE EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.id = s.place)`, "No matching signature");
    await refused(`SELECT 1 FROM facts.stock s WHERE EXISTS (SELECT 1 FROM ${PAIRS} AS p WHERE p.nope = s.id)`, "nope");
  });
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** Arrays in tables: BigQuery stores none that is null, and no null inside of one. */
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({
    ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.t (id INT64, l ARRAY<INT64>);
      INSERT INTO facts.t (id, l) VALUES (1, [1]), (2, NULL)`,
  });
});

afterAll(() => warehouse.close());

const rowsOf = async (sql: string): Promise<unknown[]> => (await warehouse.client.query(sql))[0];

it.each([
  "INSERT INTO facts.t (id, l) VALUES (3, [1, NULL])",
  "INSERT INTO facts.t (id, l) SELECT 3, ARRAY_AGG(x) FROM UNNEST([1, NULL]) AS x",
  "UPDATE facts.t SET l = [NULL] WHERE id = 1",
  "MERGE facts.t AS t USING (SELECT 3 AS id) AS s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, l) VALUES (id, [id, NULL])",
  "MERGE facts.t AS t USING (SELECT 1 AS id) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET l = [s.id, NULL]",
  "CREATE TABLE facts.refused AS SELECT [1, NULL] AS l",
])("a null in an array is refused: %s", async (statement) => {
  const before = await rowsOf("SELECT id, l FROM facts.t ORDER BY id");
  await expect(rowsOf(statement)).rejects.toThrow("Array cannot have a null element; error in writing field l");
  expect(await rowsOf("SELECT id, l FROM facts.t ORDER BY id")).toEqual(before);
});

it("a null array is stored as an empty one, and an array of a query as it is", async () => {
  expect(await rowsOf("SELECT id, ARRAY_LENGTH(l) AS n FROM facts.t ORDER BY id")).toEqual([
    { id: 1, n: 1 },
    { id: 2, n: 0 },
  ]);
  await rowsOf("CREATE TABLE facts.made AS SELECT 'a' AS s, CAST(NULL AS ARRAY<INT64>) AS none, ['b', 'c'] AS l");
  expect(await rowsOf("SELECT s, ARRAY_LENGTH(none) AS n, l FROM facts.made")).toEqual([{ s: "a", n: 0, l: ["b", "c"] }]);
});

import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../testing/engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
});

beforeEach(async () => {
  await client.query(`
    CREATE OR REPLACE TABLE facts.stock (id INT64, place STRING, amount INT64, tags ARRAY<STRING>);
    INSERT INTO facts.stock VALUES (1, 'a', 10, ['x', 'y']), (2, 'b', 20, []), (3, NULL, NULL, NULL);
    CREATE OR REPLACE TABLE facts.days (day DATE NOT NULL, n INT64) PARTITION BY day OPTIONS (require_partition_filter = TRUE);
    INSERT INTO facts.days (day, n) VALUES (DATE '2026-01-01', 1), (DATE '2026-01-02', 2);
  `);
});

afterAll(() => warehouse.close());

/** Returns the rows as lists of their values. */
async function rows(sql: string): Promise<unknown[]> {
  const [found] = await client.query({ query: sql, location: LOCATION });
  return found.map((row) => Object.values(row));
}

async function refused(sql: string, message: string): Promise<void> {
  await expect(client.query(sql)).rejects.toMatchObject({
    code: 400,
    errors: [{ reason: "invalidQuery" }],
    message: expect.stringContaining(message),
  });
}

const STOCK = "SELECT id, place, amount FROM facts.stock ORDER BY id";

it("refuses IN of structs with a null field, which equals nothing", async () => {
  const refusal = "IN of structs with null fields is not supported by the local BigQuery";
  await refused("SELECT id FROM facts.stock WHERE (id, place) IN (SELECT AS STRUCT 1, 'a')", refusal);
  await refused("SELECT 1 FROM UNNEST(['a']) AS a WHERE (1, a) IN (SELECT AS STRUCT id, place FROM facts.stock)", refusal);
  await refused("SELECT 1 FROM facts.stock WHERE (id, 0.5) IN (SELECT AS STRUCT id, 0.5)", "Cannot execute IN subquery");
});

describe("INSERT", () => {
  it("inserts a query, with literals coerced to the columns", async () => {
    await client.query("INSERT INTO facts.days (n, day) SELECT id, '2026-02-01' FROM facts.stock WHERE id = 1");
    expect(await rows("SELECT n, FORMAT_DATE('%F', day) FROM facts.days WHERE day >= '2026-02-01'")).toEqual([[1, "2026-02-01"]]);
  });

  it("inserts a WITH query, with null for omitted columns and empty arrays for omitted arrays", async () => {
    await client.query("INSERT INTO facts.stock (id) WITH ids AS (SELECT 9 AS id) SELECT id FROM ids");
    expect(await rows("SELECT place, ARRAY_LENGTH(tags) FROM facts.stock WHERE id = 9")).toEqual([[null, 0]]);
    expect(await rows("SELECT ARRAY_LENGTH(tags) FROM facts.stock WHERE id = 3")).toEqual([[0]]);
  });

  it("rejects wrong types and wrong numbers of values", async () => {
    await refused("INSERT INTO facts.stock (id) VALUES ('x')", "cannot be inserted into column id");
    await refused("INSERT INTO facts.stock (id) SELECT 1.5", "cannot be inserted into column id");
    await refused("INSERT INTO facts.stock (id) VALUES (1, 2)", "wrong column count");
    await refused("INSERT INTO facts.stock (nope) VALUES (1)", "Column nope is not present");
  });
});

describe("UPDATE and DELETE", () => {
  it("change the rows of their condition, which may read another table", async () => {
    await client.query("UPDATE facts.stock AS s SET s.amount = s.amount + 1, place = UPPER(place) WHERE s.id IN (1, 3)");
    await client.query("DELETE FROM facts.stock s WHERE EXISTS (SELECT 1 FROM facts.days d WHERE d.n = s.id AND d.day = '2026-01-02')");
    expect(await rows(STOCK)).toEqual([
      [1, "A", 11],
      [3, null, null],
    ]);
  });

  it("need a partition filter if the table requires one", async () => {
    await refused("DELETE FROM facts.days WHERE n = 1", "without a filter over column(s) 'day'");
    await refused("UPDATE facts.days SET n = 5 WHERE TRUE", "without a filter over column(s) 'day'");
    await client.query("DELETE FROM facts.days WHERE day BETWEEN '2026-01-01' AND '2026-01-01'");
    expect(await rows("SELECT n FROM facts.days WHERE day > '2000-01-01'")).toEqual([[2]]);
  });
});

describe("MERGE", () => {
  it("applies the first matching branch to each row", async () => {
    await client.query(`
      MERGE facts.stock AS t
      USING (SELECT 1 AS id, 100 AS amount UNION ALL SELECT 2, NULL UNION ALL SELECT 4, 40) AS s
      ON t.id = s.id
      WHEN MATCHED AND s.amount IS NULL THEN DELETE
      WHEN MATCHED THEN UPDATE SET amount = t.amount + s.amount
      WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (s.id, s.amount)
      WHEN NOT MATCHED BY SOURCE AND t.place IS NULL THEN UPDATE SET place = 'gone'
    `);
    expect(await rows(STOCK)).toEqual([
      [1, "a", 110],
      [3, "gone", null],
      [4, null, 40],
    ]);
  });

  it("changes many rows that the source lacks, and leaves their other columns as they were", async () => {
    await client.query(`
      INSERT INTO facts.stock SELECT 10 + x, CONCAT('p', x), x, [CAST(x AS STRING), 'y'] FROM UNNEST(GENERATE_ARRAY(1, 10000)) AS x;
      MERGE facts.stock AS t USING (SELECT 1 AS id) AS s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN UPDATE SET amount = -1
    `);
    const summed =
      "SELECT COUNT(*), COUNTIF(amount = -1), SUM(id), COUNTIF(place = CONCAT('p', tags[OFFSET(0)])) FROM facts.stock WHERE id > 10";
    expect(await rows(summed)).toEqual([[10_000, 10_000, 50_105_000, 10_000]]);
  });

  it("changes nothing for a source without rows, but what the source lacks", async () => {
    const merge = (branches: string) =>
      client.query(`MERGE facts.stock AS t USING (SELECT 1 AS id LIMIT 0) AS s ON t.id = s.id ${branches}`);
    const before = await rows(STOCK);
    await merge("WHEN MATCHED THEN UPDATE SET amount = 0 WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)");
    expect(await rows(STOCK)).toEqual(before);
    await merge("WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET amount = 7");
    expect(await rows("SELECT id FROM facts.stock WHERE amount = 7")).toEqual([[1]]);
  });

  it("fails if two source rows match one target row, and changes nothing", async () => {
    const merge = `MERGE facts.stock AS t USING (SELECT x AS id FROM UNNEST([1, 1]) AS x) AS s ON t.id = s.id
      WHEN MATCHED THEN UPDATE SET amount = 0`;
    await refused(merge, "at most one source row");
    expect(await rows("SELECT amount FROM facts.stock WHERE id = 1")).toEqual([[10]]);
  });
});

describe("CREATE TABLE AS SELECT", () => {
  it("keeps types, partitions and clusters", async () => {
    await client.query(`
      CREATE OR REPLACE TABLE facts.made PARTITION BY day CLUSTER BY n AS
      SELECT day, n, ST_GEOGPOINT(24, 59) AS place, n / 2 AS half FROM facts.days WHERE day >= '2026-01-02'
    `);
    const [metadata] = await client.dataset("facts").table("made").getMetadata();
    expect(metadata).toMatchObject({ timePartitioning: { type: "DAY", field: "day" }, clustering: { fields: ["n"] } });
    expect(metadata.schema.fields.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ["day", "DATE"],
      ["n", "INTEGER"],
      ["place", "GEOGRAPHY"],
      ["half", "FLOAT"],
    ]);
    expect(await rows("SELECT n, half FROM facts.made")).toEqual([[2, 1]]);
  });
});

describe("SELECT", () => {
  it.each<readonly [what: string, sql: string, expected: unknown[]]>([
    [
      "a LEFT JOIN keeps unmatched rows",
      "SELECT s.id, d.n FROM facts.stock s LEFT JOIN facts.days d ON d.n = s.id AND d.day > '2026-01-01' ORDER BY s.id",
      [
        [1, null],
        [2, 2],
        [3, null],
      ],
    ],
    ["USING merges its columns", "SELECT * FROM (SELECT 1 AS k, 2 AS a) JOIN (SELECT 1 AS k, 3 AS b) USING (k)", [[1, 2, 3]]],
    [
      "UNNEST is correlated, and drops rows with empty arrays",
      "SELECT s.id, tag, o FROM facts.stock s, UNNEST(s.tags) AS tag WITH OFFSET AS o ORDER BY id, o",
      [
        [1, "x", 0],
        [1, "y", 1],
      ],
    ],
    ["null joins nothing", "SELECT COUNT(*) FROM facts.stock a JOIN facts.stock b ON a.place = b.place", [[2]]],
    [
      "aliases of the SELECT list take precedence in GROUP BY",
      "SELECT IFNULL(place, 'a') AS place, COUNT(*) FROM facts.stock GROUP BY place ORDER BY place",
      [
        ["a", 2],
        ["b", 1],
      ],
    ],
    ["columns take precedence in WHERE", "SELECT 5 AS id FROM facts.stock WHERE id = 1", [[5]]],
    ["a WITH query does not hide a table of a dataset", "WITH stock AS (SELECT 7 AS id) SELECT id FROM stock", [[7]]],
    [
      "a WITH query that is used twice is translated once: here there would be 2^40 ways",
      `WITH q0 AS (SELECT 1 AS n) ${Array.from({ length: 40 }, (_, i) => `, q${i + 1} AS (SELECT MAX(GREATEST(a.n, b.n)) AS n FROM q${i} AS a JOIN q${i} AS b ON a.n = b.n)`).join("")} SELECT n FROM q40`,
      [[1]],
    ],
    ["EXCEPT and REPLACE", "SELECT * EXCEPT (tags, place) REPLACE (amount * 2 AS amount) FROM facts.stock WHERE id = 1", [[1, 20]]],
    ["QUALIFY keeps the highest", "SELECT id FROM facts.stock WHERE TRUE QUALIFY ROW_NUMBER() OVER (ORDER BY amount DESC) = 1", [[2]]],
    [
      "a subquery sees the outer row",
      "SELECT id FROM facts.stock s WHERE amount = (SELECT MAX(t.amount) FROM facts.stock t WHERE t.id = s.id) ORDER BY id",
      [[1], [2]],
    ],
    ["NOT IN with a null matches nothing", "SELECT id FROM facts.stock WHERE id NOT IN (SELECT amount FROM facts.stock)", []],
    [
      "IN compares structs by their fields in order, whatever their names and types",
      "SELECT id FROM facts.stock WHERE id < 3 AND (id, place) IN (SELECT AS STRUCT NUMERIC '1' AS a, 'a' AS b UNION ALL SELECT AS STRUCT 2, 'a')",
      [[1]],
    ],
    ["NOT IN of structs", "SELECT id FROM facts.stock WHERE id < 3 AND (id, place) NOT IN (SELECT AS STRUCT 1, 'a')", [[2]]],
    [
      "quoted names, as a whole and in parts",
      "SELECT `id` FROM `demo-local.facts`.stock WHERE id = 1 UNION ALL SELECT id FROM `facts.stock` WHERE id = 2",
      [[1], [2]],
    ],
    ["column names are case-insensitive", "SELECT S.ID FROM facts.stock AS s WHERE S.iD = 1", [[1]]],
  ])("%s", async (_, sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  it("needs a constant partition filter if the table requires one, also through a view", async () => {
    await client.query("CREATE OR REPLACE VIEW facts.all_days AS SELECT day, n FROM facts.days");
    const missing = "without a filter over column(s) 'day'";
    await refused("SELECT n FROM facts.days", missing);
    await refused("SELECT n FROM facts.days WHERE n = 1", missing);
    await refused("SELECT n FROM facts.days WHERE day = '2026-01-01' OR n = 1", missing);
    await refused("SELECT n FROM facts.days WHERE day = (SELECT MAX(day) FROM facts.days WHERE day > '2026-01-01')", missing);
    await refused("SELECT n FROM facts.all_days", missing);
    expect(await rows("SELECT n FROM facts.all_days WHERE day = '2026-01-01'")).toEqual([[1]]);
  });
});

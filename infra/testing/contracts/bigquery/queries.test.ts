import { BigQuery, type QueryResultsOptions, type QueryRowsResponse } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.people (id INT64 NOT NULL, name STRING, day DATE, seen_at TIMESTAMP, share FLOAT64, open BOOL) PARTITION BY day;
`;

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
  client = warehouse.client;
  await client
    .dataset("facts")
    .table("people")
    .insert([
      { id: 1, name: 'O\'Hara "x"', day: "2026-01-01", seen_at: "2026-01-01T10:00:00.123456Z", share: 0.5, open: true },
      { id: 2, name: "é\n☃", day: "2026-01-02", seen_at: "2026-01-02T00:00:00Z", share: 3, open: false },
      { id: 9007199254740993n.toString(), day: "2026-01-03" },
    ]);
  await warehouse.flush();
});

afterAll(() => warehouse.close());

async function one(sql: string, params?: Record<string, unknown>, types?: Record<string, string | string[]>): Promise<unknown> {
  const [rows] = await client.query({ query: sql, ...(params ? { params } : {}), ...(types ? { types } : {}), location: LOCATION });
  return rows[0];
}

describe("jobs.query", () => {
  it("returns every scalar type as the client reads it", async () => {
    expect(await one("SELECT id, name, day, seen_at, share, open FROM facts.people WHERE id = 1")).toEqual({
      id: 1,
      name: 'O\'Hara "x"',
      day: BigQuery.date("2026-01-01"),
      seen_at: BigQuery.timestamp("2026-01-01T10:00:00.123456Z"),
      share: 0.5,
      open: true,
    });
  });

  it("returns a row that is larger than a page, up to 20 MB", async () => {
    const text = (megabytes: number) => `SELECT STRING_AGG(REPEAT('x', 1000000), '') AS text FROM UNNEST(GENERATE_ARRAY(1, ${megabytes}))`;
    expect(await one(text(12))).toEqual({ text: "x".repeat(12_000_000) });
    await expect(one(text(20))).rejects.toMatchObject({
      errors: [
        { reason: "responseTooLarge", message: "Response too large to return. A row has 20000016 bytes, and an answer at most 20000000." },
      ],
    });
  });

  it("names no column after a function of the clock that omits its parentheses", async () => {
    const row = await one("SELECT CURRENT_DATE, current_timestamp, `current_date` FROM (SELECT 1 AS `current_date`)");
    expect(row).toEqual({ f0_: expect.anything(), f1_: expect.anything(), current_date: 1 });
  });

  it("keeps integers beyond 2^53 exact", async () => {
    const [rows] = await client.query({ query: "SELECT id FROM facts.people WHERE id > 2", wrapIntegers: true });
    expect(rows).toEqual([{ id: expect.objectContaining({ value: "9007199254740993" }) }]);
  });

  it("returns nulls, arrays and nested records", async () => {
    expect(await one("SELECT name, [1, 2] AS list, STRUCT(1 AS a, ['x', 'y'] AS b) AS record FROM facts.people WHERE id > 2")).toEqual({
      name: null,
      list: [1, 2],
      record: { a: 1, b: ["x", "y"] },
    });
  });

  it("binds named parameters of scalar and array types", async () => {
    const params = {
      ids: [1, 2],
      day: BigQuery.date("2026-01-02"),
      open: false,
      share: 2.5,
      name: "é\n☃",
      seen_at: BigQuery.timestamp("2026-01-02T00:00:00Z"),
    };
    const sql =
      "SELECT id FROM facts.people WHERE id IN UNNEST(@ids) AND day = @day AND open = @open AND share > @share AND name = @name AND seen_at = @seen_at";
    expect(await one(sql, params)).toEqual({ id: 2 });
  });

  it("binds structs, arrays of structs, empty arrays and nulls", async () => {
    const params = {
      cells: [
        { cell: 1, weight: 0.5 },
        { cell: 2, weight: 1 },
      ],
    };
    expect(await one("SELECT SUM(c.cell * c.weight) AS total FROM UNNEST(@cells) AS c", params)).toEqual({ total: 2.5 });
    expect(await one("SELECT COUNT(*) AS n FROM UNNEST(@none) AS x", { none: [] }, { none: ["INT64"] })).toEqual({ n: 0 });
    expect(await one("SELECT @gone IS NULL AS gone", { gone: null }, { gone: "STRING" })).toEqual({ gone: true });
  });

  it("returns 400 invalidQuery for a syntax error, 404 notFound for an unknown table", async () => {
    await expect(client.query("SELEC 1")).rejects.toMatchObject({ code: 400, errors: [{ reason: "invalidQuery" }] });
    await expect(client.query("SELECT 1 FROM facts.nowhere")).rejects.toMatchObject({ code: 404, errors: [{ reason: "notFound" }] });
  });

  it("counts the rows that a statement changed", async () => {
    const [, , response] = await client.query("UPDATE facts.people SET open = TRUE WHERE day = DATE '2026-01-03'");
    expect(response).toMatchObject({ jobComplete: true, numDmlAffectedRows: "1", dmlStats: { updatedRowCount: "1" } });
  });

  it("runs a request once, however often it is retried with its id", async () => {
    const body = {
      query: "INSERT INTO facts.people (id, day) VALUES (50, DATE '2026-01-09')",
      useLegacySql: false,
      location: LOCATION,
      requestId: "same",
    };
    const send = async () => {
      const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/demo-local/queries`, {
        method: "POST",
        headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return answer.json();
    };
    const [first, second] = [await send(), await send()];
    expect(second).toEqual(first);
    expect(await one("SELECT COUNT(*) AS n FROM facts.people WHERE day = DATE '2026-01-09'")).toEqual({ n: 1 });
  });

  it("returns timestamps as float seconds to a client that does not request integers", async () => {
    const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/demo-local/queries`, {
      method: "POST",
      headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "SELECT seen_at FROM facts.people WHERE id = 2", useLegacySql: false, location: LOCATION }),
    });
    expect(await answer.json()).toMatchObject({ rows: [{ f: [{ v: "1.767312E9" }] }] });
  });

  it("takes positional parameters", async () => {
    expect((await client.query({ query: "SELECT ? AS a, ? AS b", params: ["x", [1, 2]] }))[0]).toEqual([{ a: "x", b: [1, 2] }]);
  });

  it("rejects options that would change the result and are not supported", async () => {
    await expect(client.createQueryJob({ query: "SELECT 1", createSession: true })).rejects.toMatchObject({
      code: 400,
      errors: [{ reason: "invalid" }],
    });
  });
});

describe("paging", () => {
  it("returns all rows in order, page by page", async () => {
    const [job] = await client.createQueryJob("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 2500)) AS n ORDER BY n");
    const seen: unknown[] = [];
    let request: QueryResultsOptions | undefined = { maxResults: 1000, autoPaginate: false };
    let pages = 0;
    while (request) {
      const page: QueryRowsResponse = await job.getQueryResults(request);
      seen.push(...page[0].map(({ n }) => n));
      request = page[1] ?? undefined;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  });

  it("starts at startIndex", async () => {
    const [job] = await client.createQueryJob("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 10)) AS n ORDER BY n");
    const [rows] = await job.getQueryResults({ startIndex: "8" });
    expect(rows).toEqual([{ n: 9 }, { n: 10 }]);
  });

  it("rejects the page token of another job", async () => {
    const [first] = await client.createQueryJob("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 3)) AS n");
    const [, next] = await first.getQueryResults({ maxResults: 1, autoPaginate: false });
    const [second] = await client.createQueryJob("SELECT 1 AS n");
    await expect(second.getQueryResults({ pageToken: String(next?.pageToken) })).rejects.toMatchObject({ code: 400 });
  });
});

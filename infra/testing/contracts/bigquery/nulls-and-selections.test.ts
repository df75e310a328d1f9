import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** What Airflow's operators send: members that are null, and the fields that they want of a table. */
let warehouse: WarehouseUnderTest;
const TABLES = `projects/${PROJECT}/datasets/facts/tables`;
const Job = v.looseObject({ jobReference: v.looseObject({ jobId: v.string() }) });

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({
    ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.loaded (id INT64, name STRING);
      CREATE TABLE facts.t (a INT64, seen TIMESTAMP, e STRUCT<c STRING, d STRUCT<f INT64, g INT64>>, l ARRAY<STRUCT<x INT64, y TIMESTAMP>>);
      INSERT INTO facts.t (a, seen, e, l)
      VALUES (1, TIMESTAMP '2026-01-02 00:00:00+00', STRUCT('c', STRUCT(2, 3)), [STRUCT(4, TIMESTAMP '1970-01-01 00:00:01+00')])`,
  });
});

afterAll(() => warehouse.close());

async function send(method: string, path: string, body?: object | string, type = "application/json", account = "operator") {
  const answer = await fetch(`${warehouse.origin}/${path.startsWith("upload/") ? path : `bigquery/v2/${path}`}`, {
    method,
    headers: { authorization: `Bearer ${warehouse.tokenOf(account)}`, "content-type": type },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const received: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, body: received };
}

describe("a member that is null is as if absent", () => {
  it("in a load job", async () => {
    const load = {
      destinationTable: { projectId: null, datasetId: "facts", tableId: "loaded" },
      ...{
        quote: null,
        skipLeadingRows: null,
        fieldDelimiter: null,
        encoding: null,
        schema: null,
        timePartitioning: null,
        sourceUris: null,
      },
    };
    const configuration = { load, labels: null, query: null, copy: null, jobTimeoutMs: null };
    const part = (type: string, content: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
    const metadata = JSON.stringify({ jobReference: { jobId: null, location: null }, configuration });
    const body = `${part("application/json", metadata)}${part("text/csv", '1,"a,b"\n')}--b--`;
    const path = `upload/bigquery/v2/projects/${PROJECT}/jobs?uploadType=multipart`;
    const started = await send("POST", path, body, "multipart/related; boundary=b");
    expect(started).toMatchObject({ status: 200 });
    const { jobId } = v.parse(Job, started.body).jobReference;
    const ended = () => send("GET", `projects/${PROJECT}/jobs/${jobId}?location=${LOCATION}`);
    await expect
      .poll(ended, { timeout: 20_000 })
      .toMatchObject({ body: { status: { state: "DONE" }, statistics: { load: { outputRows: "1" } } } });
    expect(await send("GET", `${TABLES}/loaded/data`)).toMatchObject({ body: { rows: [{ f: [{ v: "1" }, { v: "a,b" }] }] } });
  });

  it("in a query, whose parameters may be null", async () => {
    const [name, parameterType] = ["p", { type: "INT64", arrayType: null, structTypes: null }];
    const request = {
      ...{ query: "SELECT @p IS NULL AS x", useLegacySql: false, defaultDataset: null, dryRun: null, maxResults: null, timeoutMs: null },
      queryParameters: [{ name, parameterType, parameterValue: { value: null } }],
    };
    expect(await send("POST", `projects/${PROJECT}/queries`, request)).toMatchObject({
      status: 200,
      body: { rows: [{ f: [{ v: "true" }] }] },
    });
  });

  it("in a new table; in a row it is a value, and in a change it removes", async () => {
    const fields = [{ name: "x", type: "INT64", mode: null, description: null, fields: null }];
    const table = { tableReference: { datasetId: "facts", tableId: "made" }, schema: { fields }, view: null, labels: { a: "1", b: null } };
    expect(await send("POST", TABLES, table)).toMatchObject({ status: 200, body: { labels: { a: "1" } } });
    const rows = [{ insertId: null, json: { x: null } }, { json: { x: null, y: null } }];
    const inserted = await send("POST", `${TABLES}/made/insertAll`, { skipInvalidRows: true, ignoreUnknownValues: null, rows });
    expect(inserted).toMatchObject({ status: 200, body: { insertErrors: [{ index: 1, errors: [{ location: "y" }] }] } });
    expect(await send("GET", `${TABLES}/made/data`)).toMatchObject({ body: { rows: [{ f: [{ v: null }] }] } });
    const changed = await send("PATCH", `${TABLES}/made`, { labels: { a: null, c: "2" } });
    expect(changed).toMatchObject({ status: 200, body: { labels: { c: "2" } } });
    expect(JSON.stringify(changed.body)).not.toContain('"a":"1"');
  });
});

describe("selectedFields of tabledata.list", () => {
  const c = { v: "c" };
  const [d, at] = [{ v: { f: [{ v: "2" }, { v: "3" }] } }, { v: "1767312000000000" }];
  const cases = [
    ["a", [{ v: "1" }]],
    ["seen,a", [{ v: "1" }, at]],
    ["A,a", [{ v: "1" }]],
    ["e", [{ v: { f: [c, d] } }]],
    ["e.d.f,a", [{ v: "1" }, { v: { f: [{ v: { f: [{ v: "2" }] } }] } }]],
    ["e.d.g,e.c", [{ v: { f: [c, { v: { f: [{ v: "3" }] } }] } }]],
    ["e.d,e.d.f", [{ v: { f: [d] } }]],
    ["l.y", [{ v: [{ v: { f: [{ v: "1000000" }] } }] }]],
  ] as const;
  const format = "formatOptions.useInt64Timestamp=true";

  it.each(cases)("%s: names fields, those in records with dots; they come in the table's order", async (selected, f) => {
    expect((await send("GET", `${TABLES}/t/data?${format}&selectedFields=${selected}`)).body).toMatchObject({
      totalRows: "1",
      rows: [{ f }],
    });
  });

  it("works for the table of a query's rows, too", async () => {
    const configuration = { query: { query: "SELECT a, seen, e, l FROM facts.t", useLegacySql: false } };
    await send("POST", `projects/${PROJECT}/jobs`, { jobReference: { jobId: "selected", location: LOCATION }, configuration });
    await send("GET", `projects/${PROJECT}/queries/selected?location=${LOCATION}&maxResults=0`);
    const Named = v.object({
      configuration: v.object({ query: v.object({ destinationTable: v.object({ datasetId: v.string(), tableId: v.string() }) }) }),
    });
    const job = await send("GET", `projects/${PROJECT}/jobs/selected?location=${LOCATION}`);
    const { datasetId, tableId } = v.parse(Named, job.body).configuration.query.destinationTable;
    const path = `projects/${PROJECT}/datasets/${datasetId}/tables/${tableId}/data?${format}`;
    for (const [selected, f] of cases)
      expect((await send("GET", `${path}&selectedFields=${selected}`)).body, selected).toMatchObject({ rows: [{ f }] });
    expect((await send("GET", path)).body).toMatchObject({ rows: [{ f: [{ v: "1" }, at, { v: { f: [c, d] } }, expect.anything()] }] });
  });

  it.each(["none", "e.none", "a.x", "e.d.f,"])("%s: refuses a field that the table lacks", async (selected) => {
    const refused = await send("GET", `${TABLES}/t/data?selectedFields=${selected}`);
    const message = expect.stringMatching(/^Selected non-existent field: /);
    expect(refused).toMatchObject({ status: 400, body: { error: { message, errors: [{ reason: "invalid" }] } } });
  });
});

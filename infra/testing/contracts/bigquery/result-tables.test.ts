import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** What Google's client for Java does: it compresses its requests, and reads a query's rows from the table that BigQuery keeps them in. */
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({
    ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.t (seen TIMESTAMP)`,
  });
});

afterAll(() => warehouse.close());

const JAVA = "gl-java/17.0.15 gdcl/2.9.2 linux/6.1";
const PYTHON = "gl-python/3.11.7 gccl/3.38.0";
const DBT = `dbt-bigquery-1.11.3 ${PYTHON}`;
const OWNER = "warehouse-acmemobi";
const MANY = "SELECT n, TIMESTAMP_SECONDS(n) AS seen FROM UNNEST(GENERATE_ARRAY(0, 9)) AS n ORDER BY n";
const BODY_BYTES_MAX = 10 * 1024 * 1024;

interface Sent {
  readonly body?: object;
  readonly account?: string;
  readonly client?: string;
  /** What is sent for the body, which is compressed. */
  readonly bytes?: Uint8Array;
}

async function send(method: string, path: string, { body, bytes, account = OWNER, client = JAVA }: Sent = {}) {
  const content = bytes ?? (body === undefined ? undefined : gzipSync(JSON.stringify(body)));
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/${PROJECT}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${warehouse.tokenOf(account)}`,
      "content-type": "application/json",
      "x-goog-api-client": client,
      ...(content === undefined ? {} : { "content-encoding": "gzip" }),
    },
    ...(content === undefined ? {} : { body: content }),
  });
  return { status: answer.status, body: await answer.json() };
}

const Destination = v.object({ projectId: v.string(), datasetId: v.string(), tableId: v.string() });
const Resource = v.object({ configuration: v.object({ query: v.object({ destinationTable: v.exactOptional(Destination) }) }) });

/** Runs a statement to its end, and returns the table that its job names to a client. */
async function tableOf(id: string, query: string, client = JAVA): Promise<v.InferOutput<typeof Destination> | undefined> {
  const reference = { jobId: id, location: LOCATION };
  await send("POST", "jobs", { body: { jobReference: reference, configuration: { query: { query, useLegacySql: false } } } });
  await send("GET", `queries/${id}?location=${LOCATION}&maxResults=0`);
  const { body } = await send("GET", `jobs/${id}?location=${LOCATION}`, { client });
  return v.parse(Resource, body).configuration.query.destinationTable;
}

describe("the table of a query's rows", () => {
  it("is read by who ran the query, page by page, and by nobody else", async () => {
    const table = await tableOf("of-rows", MANY);
    const path = `datasets/${table?.datasetId}/tables/${table?.tableId}/data`;
    const values = (body: unknown) =>
      v.parse(v.looseObject({ rows: v.array(v.object({ f: v.array(v.object({ v: v.string() })) })) }), body).rows.map(({ f }) => f[0]?.v);
    const first = await send("GET", `${path}?maxResults=4`);
    expect(first).toMatchObject({ status: 200, body: { totalRows: "10", pageToken: expect.any(String) } });
    expect(values(first.body)).toEqual(["0", "1", "2", "3"]);
    const { pageToken } = v.parse(v.looseObject({ pageToken: v.string() }), first.body);
    const rest = await send("GET", `${path}?pageToken=${pageToken}`);
    expect(values(rest.body)).toEqual(["4", "5", "6", "7", "8", "9"]);
    expect(JSON.stringify(rest.body)).not.toContain("pageToken");
    // The token of the query's own answer names the same place.
    const asked = await send("GET", `queries/of-rows?location=${LOCATION}&maxResults=4`);
    expect(asked.body).toMatchObject({ pageToken });
    const last = await send("GET", `${path}?startIndex=9&formatOptions.useInt64Timestamp=true`);
    expect(last).toMatchObject({ body: { rows: [{ f: [{ v: "9" }, { v: "9000000" }] }] } });
    for (const account of ["functions", "warehouse-globex"]) {
      const refused = await send("GET", path, { account });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([404, expect.stringContaining("Not found: Table")]);
    }
    expect(await send("GET", path.replace("_", "_0"))).toMatchObject({ status: 404 });
  });

  it("is described to who ran the query, with the number of its rows, as dbt asks", async () => {
    const table = await tableOf("of-dbt", MANY, DBT);
    const path = `datasets/${table?.datasetId}/tables/${table?.tableId}`;
    expect(await send("GET", path, { client: DBT })).toMatchObject({
      status: 200,
      body: {
        tableReference: table,
        type: "TABLE",
        location: LOCATION,
        numRows: "10",
        schema: { fields: [{ name: "n" }, { name: "seen" }] },
      },
    });
    expect(await send("GET", path, { account: "warehouse-globex" })).toMatchObject({ status: 404 });
  });

  it("is named neither to the client for Python, which would look for it at Google, nor for a job without rows", async () => {
    expect(await tableOf("for-python", MANY, PYTHON)).toBeUndefined();
    expect(await tableOf("failed", "SELECT CAST('x' AS INT64) AS n")).toBeDefined();
    const failed = await tableOf("failed-again", "SELECT CAST('x' AS INT64) AS n");
    expect(await send("GET", `datasets/${failed?.datasetId}/tables/${failed?.tableId}/data`)).toMatchObject({ status: 404 });
  });
});

describe("a compressed body", () => {
  it("is read, within the limit of one that is not", async () => {
    expect(await send("POST", "queries", { body: { query: "SELECT 1 AS x", queryResultsFormat: "STRUCT_ENCODING" } })).toMatchObject({
      status: 200,
      body: { rows: [{ f: [{ v: "1" }] }] },
    });
    expect(await send("POST", "queries", { body: { query: " ".repeat(BODY_BYTES_MAX) } })).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining("exceeds the limit") } },
    });
    // As the client for Java cancels a job: nothing, compressed.
    await tableOf("cancelled", MANY);
    const cancelled = await send("POST", `jobs/cancelled/cancel?location=${LOCATION}`, { bytes: gzipSync("") });
    expect(cancelled).toMatchObject({ status: 200, body: { kind: "bigquery#jobCancelResponse" } });
    expect(await send("POST", "queries", { bytes: Buffer.from('{"query": "SELECT 1"}') })).toMatchObject({
      status: 400,
      body: { error: { message: "Invalid gzip payload received." } },
    });
  });
});

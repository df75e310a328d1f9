import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../local/identity.ts";
import {
  LOCATION,
  LONGER_UID,
  PROJECT,
  startWarehouseUnderTest,
  UID,
  type WarehouseUnderTest,
} from "../../engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA realtime OPTIONS (location = '${LOCATION}');
  CREATE TABLE realtime.headcounts (uid STRING, people INT64);
  CREATE SCHEMA customer_${UID} OPTIONS (location = '${LOCATION}');
  CREATE SCHEMA customer_${LONGER_UID} OPTIONS (location = '${LOCATION}');
`;

let warehouse: WarehouseUnderTest;
let service: BigQuery;
let reader: BigQuery;
let other: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
  service = warehouse.client;
  for (const uid of [UID, LONGER_UID])
    await warehouse.applyDdl(
      `CREATE VIEW customer_${uid}.realtime_data AS SELECT people FROM \`${PROJECT}.realtime.headcounts\` WHERE uid = '${uid}'`,
    );
  await service
    .dataset("realtime")
    .table("headcounts")
    .insert([
      { uid: UID, people: 5 },
      { uid: LONGER_UID, people: 7 },
    ]);
  reader = warehouse.clientOf(`warehouse-${UID}`);
  other = warehouse.clientOf(`warehouse-${LONGER_UID}`);
});

afterAll(() => warehouse.close());

async function post(headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/${PROJECT}/queries`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query: "SELECT 1", useLegacySql: false }),
  });
  return { status: answer.status, body: await answer.json() };
}

describe("tokens", () => {
  it("are required: a request without one gets 401", async () => {
    expect(await post({})).toMatchObject({
      status: 401,
      body: { error: { code: 401, status: "UNAUTHENTICATED", errors: [{ reason: "required" }] } },
    });
  });

  it("that are unknown or expired get 401", async () => {
    expect(await post({ authorization: "Bearer ya29.nobody" })).toMatchObject({
      status: 401,
      body: { error: { errors: [{ reason: "authError" }] } },
    });
    const old = await startWarehouseUnderTest();
    const client = old.clientOf("functions");
    old.advance(3_601_000);
    await expect(client.query("SELECT 1 AS x")).rejects.toMatchObject({ code: 401 });
    await old.close();
  });

  it("for Cloud Storage only get 403", async () => {
    await expect(warehouse.clientOf(`warehouse-${UID}`, SCOPES.storageRead).query("SELECT 1 AS x")).rejects.toMatchObject({
      code: 403,
      errors: [{ reason: "insufficientPermissions" }],
    });
  });

  it("of a disabled account stop working at once", async () => {
    const client = warehouse.clientOf("warehouse-leaving1");
    await client.query("SELECT 1 AS x");
    warehouse.identity.setDisabled(`warehouse-leaving1@${PROJECT}.iam.gserviceaccount.com`, true);
    await expect(client.query("SELECT 1 AS x")).rejects.toMatchObject({ code: 401 });
  });
});

describe("a customer's reader", () => {
  it("reads the views of its own dataset, which read other datasets", async () => {
    expect((await reader.query(`SELECT people FROM customer_${UID}.realtime_data`))[0]).toEqual([{ people: 5 }]);
  });

  it.each([
    ["another customer's dataset", `SELECT people FROM customer_${LONGER_UID}.realtime_data`],
    ["the tables behind its view", "SELECT people FROM realtime.headcounts"],
    ["a missing table", "SELECT people FROM realtime.nothing"],
    [
      "another customer's view inside a subquery",
      `SELECT (SELECT MAX(people) FROM customer_${LONGER_UID}.realtime_data) AS x FROM customer_${UID}.realtime_data`,
    ],
    [
      "another customer's view in a join",
      `SELECT a.people FROM customer_${UID}.realtime_data AS a JOIN customer_${LONGER_UID}.realtime_data AS b ON TRUE`,
    ],
  ])("cannot read %s", async (_, sql) => {
    await expect(reader.query(sql)).rejects.toMatchObject({
      code: 403,
      errors: [{ reason: "accessDenied", message: expect.stringMatching(/^Access Denied: Table /) }],
    });
  });

  it.each([
    `CREATE TABLE customer_${UID}.mine (x INT64)`,
    `INSERT INTO realtime.headcounts (uid, people) VALUES ('x', 1)`,
    `CREATE VIEW customer_${UID}.wide AS SELECT people FROM \`${PROJECT}.realtime.headcounts\``,
    `EXPORT DATA OPTIONS (uri = 'gs://exports/x-*', format = 'CSV') AS SELECT people FROM customer_${UID}.realtime_data`,
    `SELECT 1 AS x; DROP VIEW customer_${UID}.realtime_data`,
  ])("may not run %s", async (sql) => {
    await expect(reader.query(sql)).rejects.toMatchObject({ code: 403, errors: [{ reason: "accessDenied" }] });
    const job = reader.createQueryJob({ query: sql, dryRun: true });
    await expect(job).rejects.toMatchObject({ code: 403 });
  });

  it("sees its own dataset and no other", async () => {
    expect((await reader.dataset(`customer_${UID}`).getTables())[0].map(({ id }) => id)).toEqual(["realtime_data"]);
    expect((await reader.dataset(`customer_${UID}`).table("realtime_data").getMetadata())[0]).toMatchObject({ type: "VIEW" });
    expect((await reader.getDatasets())[0].map(({ id }) => id)).toEqual([`customer_${UID}`]);
    await expect(reader.dataset("realtime").getTables()).rejects.toMatchObject({ code: 403 });
    await expect(reader.dataset(`customer_${LONGER_UID}`).table("realtime_data").getMetadata()).rejects.toMatchObject({ code: 403 });
    await expect(reader.dataset("realtime").table("headcounts").getRows()).rejects.toMatchObject({ code: 403 });
  });

  it("can change nothing through the other methods", async () => {
    await expect(reader.createDataset("mine")).rejects.toMatchObject({ code: 403 });
    await expect(reader.dataset(`customer_${UID}`).createTable("t", { schema: "x:INT64" })).rejects.toMatchObject({ code: 403 });
    await expect(reader.dataset(`customer_${UID}`).delete({ force: true })).rejects.toMatchObject({ code: 403 });
    await expect(
      reader
        .dataset("realtime")
        .table("headcounts")
        .insert([{ people: 1 }]),
    ).rejects.toMatchObject({ code: 403 });
    await expect(reader.dataset("realtime").table("headcounts").delete()).rejects.toMatchObject({ code: 403 });
  });

  it("never sees a job of another principal", async () => {
    const [job] = await reader.createQueryJob({ jobId: "secret", query: `SELECT people FROM customer_${UID}.realtime_data` });
    expect((await job.getQueryResults())[0]).toEqual([{ people: 5 }]);
    const seen = other.job("secret", { location: LOCATION });
    for (const attempt of [() => seen.getMetadata(), () => seen.getQueryResults(), () => seen.cancel()])
      await expect(attempt()).rejects.toMatchObject({ code: 404 });
    expect((await other.getJobs({ allUsers: true }))[0]).toEqual([]);
    expect((await service.job("secret", { location: LOCATION }).getMetadata())[0]).toMatchObject({
      user_email: `warehouse-${UID}@${PROJECT}.iam.gserviceaccount.com`,
    });
  });

  it("cannot read files through a query", async () => {
    await expect(reader.query("SELECT * FROM read_csv('/etc/passwd')")).rejects.toMatchObject({
      code: 400,
      errors: [{ reason: "invalidQuery" }],
    });
  });
});

it("denies accounts without a role", async () => {
  await expect(warehouse.clientOf("queue").query("SELECT 1 AS x")).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining("bigquery.jobs.create"),
  });
});

it("serves one project", async () => {
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/other/datasets`, {
    headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}` },
  });
  expect(answer.status).toBe(403);
});

it("returns 501 for an unsupported method", async () => {
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/projects/${PROJECT}/datasets/realtime/models`, {
    headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}` },
  });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 501,
    body: { error: { errors: [{ reason: "notImplemented" }] } },
  });
});

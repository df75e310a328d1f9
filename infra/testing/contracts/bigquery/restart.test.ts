import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUCKET, LOCATION, PROJECT, startWarehouseUnderTest, UID, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}', description = 'Facts', default_table_expiration_days = 7);
  CREATE SCHEMA customer_${UID} OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.trips (id INT64 NOT NULL OPTIONS (description = 'Which'), name STRING, day DATE NOT NULL)
  PARTITION BY day CLUSTER BY id OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 30);
  CREATE TABLE facts.log (id INT64);
  CREATE VIEW customer_${UID}.named AS SELECT name FROM facts.trips WHERE day = DATE '2026-01-10';
`;
const ENDLESS =
  "SELECT SUM(MOD(a * b, 7)) AS x FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a CROSS JOIN UNNEST(GENERATE_ARRAY(1, 1000000)) AS b";

let dataDirectory: string;
let warehouse: WarehouseUnderTest;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "populus-kept-"));
  warehouse = await startWarehouseUnderTest({ dataDirectory, ddl: DDL });
});

afterEach(async () => {
  await warehouse.close();
  await rm(dataDirectory, { recursive: true });
});

async function restart(): Promise<void> {
  await warehouse.close();
  warehouse = await startWarehouseUnderTest({ dataDirectory });
}

function job(id: string) {
  return warehouse.client.job(id, { location: LOCATION });
}

async function metadataOf(id: string) {
  return (await job(id).getMetadata())[0];
}

describe("after a restart", () => {
  it("datasets, tables, views and their options are unchanged", async () => {
    const look = async () => {
      const [dataset] = await warehouse.client.dataset("facts").getMetadata();
      const [table] = await warehouse.client.dataset("facts").table("trips").getMetadata();
      const [view] = await warehouse.client.dataset(`customer_${UID}`).table("named").getMetadata();
      return { dataset, table, view };
    };
    await warehouse.client
      .dataset("facts")
      .table("trips")
      .insert([{ id: 1, name: "four", day: "2026-01-10" }]);
    await warehouse.flush();
    warehouse.advance(5000);
    await warehouse.client.query("UPDATE facts.trips SET name = 'eins' WHERE day = DATE '2026-01-10'");
    const before = await look();
    expect(before.table).toMatchObject({
      requirePartitionFilter: true,
      numRows: "1",
      lastModifiedTime: String(Date.UTC(2026, 0, 15, 12, 0, 5)),
    });
    await restart();
    expect(await look()).toEqual(before);
    await expect(warehouse.client.query("SELECT id FROM facts.trips")).rejects.toThrow(/without a filter over/);
    const reader = warehouse.clientOf(`warehouse-${UID}`);
    expect((await reader.query(`SELECT name FROM customer_${UID}.named`))[0]).toEqual([{ name: "eins" }]);
  });

  it("rows of the streaming buffer are still in it", async () => {
    await warehouse.client
      .dataset("facts")
      .table("log")
      .insert([{ id: 1 }]);
    await restart();
    await warehouse.client.query("DELETE FROM facts.log WHERE id = 2");
    await expect(warehouse.client.query("DELETE FROM facts.log WHERE id = 1")).rejects.toThrow(/rows in the streaming buffer/);
  });

  it("a job's id is still taken, and its rows, statistics and error are available", async () => {
    await warehouse.client.createQueryJob({
      jobId: "rows",
      query: "SELECT x, [x] AS xs FROM UNNEST(GENERATE_ARRAY(1, 12000)) AS x ORDER BY x",
      labels: { a: "b" },
    });
    await job("rows").getQueryResults();
    await warehouse.client.createQueryJob({ jobId: "none", query: "SELECT 1 AS x FROM facts.log" });
    await warehouse.client.createQueryJob({ jobId: "dml", query: "INSERT INTO facts.log (id) VALUES (1), (2)" });
    // The next one divides by zero once this has written its rows.
    await job("dml").getQueryResults();
    await warehouse.client.createQueryJob({ jobId: "divided", query: "SELECT 1 / (SELECT COUNT(*) - 2 FROM facts.log) AS x" });
    for (const id of ["none", "dml", "divided"])
      await job(id)
        .getQueryResults()
        .catch(() => undefined);
    const ids = ["rows", "none", "dml", "divided"];
    const withoutPlan = async (id: string) => {
      const { statistics, ...rest } = await metadataOf(id);
      const { queryPlan: _, ...query } = statistics.query;
      return { ...rest, statistics: { ...statistics, query } };
    };
    const before = await Promise.all(ids.map(withoutPlan));
    const [all] = await job("rows").getQueryResults();
    expect(all.length).toBe(12_000);
    await restart();
    expect(await Promise.all(ids.map(withoutPlan))).toEqual(before);
    expect((await job("rows").getQueryResults())[0]).toEqual(all);
    expect((await job("none").getQueryResults())[0]).toEqual([]);
    await expect(job("divided").getQueryResults()).rejects.toThrow(/division by zero/);
    for (const jobId of ids)
      await expect(warehouse.client.createQueryJob({ jobId, query: "INSERT INTO facts.log (id) VALUES (3)" })).rejects.toMatchObject({
        code: 409,
        errors: [{ reason: "duplicate", message: `Already Exists: Job ${PROJECT}:${LOCATION}.${jobId}` }],
      });
    expect((await warehouse.client.query("SELECT COUNT(*) AS n FROM facts.log"))[0]).toEqual([{ n: 2 }]);
  });

  it("a request retried with its id gets the response of the first", async () => {
    const request = { query: "INSERT INTO facts.log (id) VALUES (7)", useLegacySql: false, requestId: "once", location: LOCATION };
    const ask = async () => {
      const headers = { authorization: `Bearer ${warehouse.tokenOf("functions")}`, "content-type": "application/json" };
      const url = `${warehouse.origin}/bigquery/v2/projects/${PROJECT}/queries`;
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(request) })).json();
    };
    const first = v.parse(v.object({ jobReference: v.unknown() }), await ask());
    await restart();
    expect(await ask()).toMatchObject({ jobReference: first.jobReference, jobComplete: true });
    expect((await warehouse.client.query("SELECT COUNT(*) AS n FROM facts.log"))[0]).toEqual([{ n: 1 }]);
  });

  it("interrupted jobs resume under their ids: a query, a script after its last commit, a cancelled job", async () => {
    await warehouse.client.createQueryJob({
      jobId: "script",
      query: `INSERT INTO facts.log (id) VALUES (1); ${ENDLESS}; INSERT INTO facts.log (id) VALUES (2)`,
    });
    await warehouse.client.createQueryJob({ jobId: "query", query: ENDLESS });
    await expect.poll(async () => (await warehouse.client.query("SELECT id FROM facts.log"))[0]).toEqual([{ id: 1 }]);
    await restart();
    const states = async () => Promise.all(["script", "query"].map(async (id) => (await metadataOf(id)).status.state));
    await expect.poll(states, { timeout: 60_000 }).toEqual(["RUNNING", "RUNNING"]);
    for (const id of ["script", "query"]) await job(id).cancel();
    await expect.poll(states, { timeout: 60_000 }).toEqual(["DONE", "DONE"]);
    await restart();
    expect(await states()).toEqual(["DONE", "DONE"]);
    expect((await metadataOf("query")).status.errorResult.reason).toBe("stopped");
    expect((await warehouse.client.query("SELECT id FROM facts.log"))[0]).toEqual([{ id: 1 }]);
  });

  it("an interrupted export is complete, without extra files", async () => {
    const path = (name: string) => `gs://${BUCKET}/kept/${name}*.csv.gz`;
    const query = `EXPORT DATA OPTIONS (uri = '${path("part-")}', format = 'CSV', compression = 'GZIP', header = TRUE, overwrite = FALSE) AS
      SELECT x FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS x`;
    await warehouse.client.createQueryJob({ jobId: "export", query });
    // A file of the pattern that the job may have published before it was stopped.
    const draft = await warehouse.store.create(BUCKET, "kept/part-000000000099.csv.gz", { contentType: "application/gzip" });
    await draft.receiveWhole(Readable.from([Buffer.from("half")]));
    await draft.commit();
    await restart();
    await job("export").getQueryResults();
    const names = warehouse.store.list(BUCKET, { prefix: "kept/" }).items.map(({ name }) => name);
    const texts = await Promise.all(
      names.map(async (name) => gunzipSync(await readFile(warehouse.store.read(BUCKET, name).path)).toString()),
    );
    const values = texts.flatMap((text) => text.trim().split("\n").slice(1)).map(Number);
    expect([values.length, new Set(values).size]).toEqual([1_000_000, 1_000_000]);
    expect((await metadataOf("export")).statistics.query.exportDataStatistics).toEqual({
      fileCount: String(names.length),
      rowCount: "1000000",
    });
  });

  it("jobs that ended more than a day ago are deleted with their rows", async () => {
    await warehouse.client.createQueryJob({ jobId: "old", query: "SELECT 1 AS x" });
    await job("old").getQueryResults();
    const results = join(dataDirectory, "bigquery", "results");
    expect(await readdir(results)).toHaveLength(1);
    await warehouse.close();
    warehouse = await startWarehouseUnderTest({ dataDirectory, startAt: Date.UTC(2026, 0, 16, 13) });
    await warehouse.client.createQueryJob({ jobId: "new", query: "SELECT 2 AS x" });
    await job("new").getQueryResults();
    await warehouse.tidy();
    await expect(metadataOf("old")).rejects.toMatchObject({ code: 404 });
    expect((await job("new").getQueryResults())[0]).toEqual([{ x: 2 }]);
    expect(await readdir(results)).toHaveLength(1);
  });
});

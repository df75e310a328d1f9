import type { BigQuery, Job } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE SCHEMA far OPTIONS (location = 'eu');
  CREATE TABLE facts.trips (id INT64 NOT NULL, name STRING, day DATE NOT NULL) PARTITION BY day OPTIONS (require_partition_filter = TRUE);
`;
/** A query that takes DuckDB minutes. */
const ENDLESS =
  "SELECT SUM(MOD(a * b, 7)) AS x FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a CROSS JOIN UNNEST(GENERATE_ARRAY(1, 1000000)) AS b";

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
  client = warehouse.client;
  const connection = await warehouse.connection();
  // 1,000 rows per day. Names have 4 bytes, so a row is 8 + 6 + 8 = 22 bytes.
  await connection.run("INSERT INTO facts.trips SELECT range, 'abcd', DATE '2026-01-01' + (range // 1000)::INTEGER FROM range(10000)");
  connection.closeSync();
});

afterAll(() => warehouse.close());

async function metadataOf(job: Job) {
  const [metadata] = await job.getMetadata();
  return metadata;
}

describe("jobs.insert", () => {
  it("runs a query under the given id, once", async () => {
    const insert = () => client.createQueryJob({ jobId: "agg_1", query: "SELECT 1 AS x" });
    const [job] = await insert();
    expect(job.id).toBe("agg_1");
    await expect(insert()).rejects.toMatchObject({
      code: 409,
      errors: [{ reason: "duplicate", message: `Already Exists: Job ${PROJECT}:${LOCATION}.agg_1` }],
    });
    expect((await client.job("agg_1", { location: LOCATION }).getQueryResults())[0]).toEqual([{ x: 1 }]);
  });

  it("tells the values of parameters as texts, also those that this client sends as numbers", async () => {
    const [job] = await client.createQueryJob({
      query: "SELECT ARRAY_LENGTH(@list) AS x, @flag AS y",
      params: { list: [7, 8], flag: true },
    });
    expect((await job.getQueryResults())[0]).toEqual([{ x: 2, y: true }]);
    expect((await metadataOf(job)).configuration.query.queryParameters).toMatchObject([
      { name: "list", parameterValue: { arrayValues: [{ value: "7" }, { value: "8" }] } },
      { name: "flag", parameterValue: { value: "true" } },
    ]);
  });

  it("accepts the same id in another location", async () => {
    await client.createQueryJob({ jobId: "both", query: "SELECT 1 AS x" });
    const [job] = await client.createQueryJob({ jobId: "both", query: "SELECT 2 AS x", location: "EU" });
    expect((await job.getQueryResults())[0]).toEqual([{ x: 2 }]);
  });

  it("answers with the fields that are asked for, and starts nothing for a selection that cannot be read", async () => {
    await client.createQueryJob({ jobId: "in_part", query: "SELECT 1 AS x" });
    const job = client.job("in_part", { location: LOCATION });
    await job.getQueryResults();
    const [part] = await job.getMetadata({ fields: "status/state,statistics/query(totalBytesBilled,queryPlan/status)" });
    expect(part).toEqual({
      status: { state: "DONE" },
      statistics: { query: { totalBytesBilled: "0", queryPlan: [{ status: "COMPLETE" }] } },
    });
    const refused = { jobReference: { jobId: "refused" }, configuration: { query: { query: "SELECT 1", useLegacySql: false } } };
    const insert = new Promise((resolve, reject) => {
      const sent = { method: "POST", uri: "/jobs", qs: { fields: "status(" }, json: refused };
      client.request(sent, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    await expect(insert).rejects.toMatchObject({ code: 400, errors: [{ reason: "invalidParameter" }] });
    await expect(client.job("refused", { location: LOCATION }).getMetadata()).rejects.toMatchObject({ code: 404 });
  });

  it("keeps the state, reason and message of a failed job", async () => {
    await expect(
      client.createQueryJob({ jobId: "broken", query: "SELECT nowhere FROM facts.trips WHERE day = DATE '2026-01-01'" }),
    ).rejects.toThrow(/nowhere/);
    const job = client.job("broken", { location: LOCATION });
    expect((await metadataOf(job)).status).toMatchObject({
      state: "DONE",
      errorResult: { reason: "invalidQuery", message: expect.stringContaining("nowhere") },
      errors: [{ reason: "invalidQuery" }],
    });
    await expect(job.getQueryResults()).rejects.toMatchObject({ code: 400, errors: [{ reason: "invalidQuery" }] });
  });

  it("returns times, bytes, labels and stages", async () => {
    const [job] = await client.createQueryJob({
      query: "SELECT COUNT(name) AS n FROM facts.trips WHERE day BETWEEN DATE '2026-01-02' AND DATE '2026-01-04'",
      labels: { product: "odm" },
    });
    expect((await job.getQueryResults())[0]).toEqual([{ n: 3000 }]);
    const { statistics, configuration, status } = await metadataOf(job);
    expect(status).toEqual({ state: "DONE" });
    expect(configuration).toMatchObject({ jobType: "QUERY", labels: { product: "odm" } });
    // Three of ten days: 3,000 rows of a name (2 + 4 bytes) and a date (8).
    expect(statistics).toMatchObject({
      creationTime: expect.any(String),
      startTime: expect.any(String),
      endTime: expect.any(String),
      totalBytesProcessed: "42000",
    });
    expect(statistics.query).toMatchObject({ statementType: "SELECT", cacheHit: false, totalBytesBilled: String(10 * 1024 * 1024) });
    for (const stage of statistics.query.queryPlan) {
      expect(stage).toMatchObject({ status: "COMPLETE", recordsRead: expect.any(String) });
      expect(stage.completedParallelInputs).toBe(stage.parallelInputs);
    }
  });

  it("does not run a query that would bill more than its limit", async () => {
    const [job] = await client.createQueryJob({
      query: "SELECT id FROM facts.trips WHERE day = DATE '2026-01-01'",
      maximumBytesBilled: "1000",
    });
    await expect(job.getQueryResults()).rejects.toMatchObject({
      errors: [
        { reason: "bytesBilledLimitExceeded", message: "Query exceeded limit for bytes billed: 1000. 10485760 or higher required." },
      ],
    });
  });

  it("requires a partition filter if the table does", async () => {
    await expect(client.query("SELECT id FROM facts.trips")).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("partition elimination"),
    });
  });

  it("runs a job only in the location of its tables", async () => {
    await expect(client.query({ query: "SELECT id FROM facts.trips WHERE day = DATE '2026-01-01'", location: "EU" })).rejects.toMatchObject(
      {
        code: 404,
        message: expect.stringContaining("was not found in location EU"),
      },
    );
  });

  it("rejects copy and extract jobs; a load of an object that is not there fails", async () => {
    const table = client.dataset("facts").table("trips");
    await expect(table.createCopyJob(client.dataset("facts").table("copy"))).rejects.toMatchObject({
      code: 501,
      errors: [{ reason: "notImplemented" }],
    });
    const [load] = await client.createJob({
      configuration: {
        load: { sourceUris: ["gs://b/o"], destinationTable: { projectId: PROJECT, datasetId: "facts", tableId: "trips" } },
      },
    });
    await expect(load.promise()).rejects.toThrow("Not found: URI gs://b/o");
  });
});

describe("a dry run", () => {
  it("returns schema and bytes and stores no job", async () => {
    const [job, response] = await client.createQueryJob({
      query: "SELECT id, name FROM facts.trips WHERE day = DATE '2026-01-01'",
      dryRun: true,
    });
    expect(response?.statistics).toMatchObject({
      totalBytesProcessed: "22000",
      query: {
        schema: {
          fields: [
            { name: "id", type: "INTEGER", mode: "NULLABLE" },
            { name: "name", type: "STRING", mode: "NULLABLE" },
          ],
        },
        totalBytesBilled: "0",
        statementType: "SELECT",
      },
    });
    await expect(job.getMetadata()).rejects.toMatchObject({ code: 404 });
  });

  it("changes nothing", async () => {
    await client.createQueryJob({ query: "DELETE FROM facts.trips WHERE day = DATE '2026-01-01'", dryRun: true });
    const [rows] = await client.query("SELECT COUNT(*) AS n FROM facts.trips WHERE day = DATE '2026-01-01'");
    expect(rows).toEqual([{ n: 1000 }]);
  });

  it("returns an error at once", async () => {
    await expect(client.createQueryJob({ query: "SELECT 1 FROM facts.nowhere", dryRun: true })).rejects.toMatchObject({ code: 404 });
  });

  it("counts new rows", async () => {
    const query = "SELECT id FROM facts.trips WHERE day = DATE '2026-02-01'";
    const bytes = async () => (await client.createQueryJob({ query, dryRun: true }))[1]?.statistics?.totalBytesProcessed;
    expect(await bytes()).toBe("0");
    await client.query("INSERT INTO facts.trips (id, name, day) VALUES (1, 'abcd', DATE '2026-02-01')");
    expect(await bytes()).toBe("16");
  });
});

describe("a long query", () => {
  it("is reported as incomplete, shows its stages, and ends as stopped when cancelled", async () => {
    const [job] = await client.createQueryJob({ jobId: "endless", query: ENDLESS });
    await expect(job.getQueryResults({ timeoutMs: 50 })).rejects.toThrow("did not complete before 50ms");
    const { status, statistics } = await metadataOf(job);
    expect(status).toEqual({ state: "RUNNING" });
    expect(statistics.query.queryPlan).toEqual(
      expect.arrayContaining([expect.objectContaining({ status: expect.stringMatching(/RUNNING|PENDING/) })]),
    );
    await job.cancel();
    await expect(job.getQueryResults()).rejects.toMatchObject({ errors: [{ reason: "stopped" }] });
    expect((await metadataOf(job)).status).toMatchObject({
      state: "DONE",
      errorResult: { reason: "stopped", message: "Job execution was cancelled: User requested cancellation" },
    });
  });

  it("does not block other queries", async () => {
    const [job] = await client.createQueryJob(ENDLESS);
    expect((await client.query("SELECT 1 AS x"))[0]).toEqual([{ x: 1 }]);
    await job.cancel();
    await expect(job.getQueryResults()).rejects.toMatchObject({ errors: [{ reason: "stopped" }] });
  });

  it("ends at its own timeout", async () => {
    const [job] = await client.createQueryJob({ query: ENDLESS, jobTimeoutMs: 100 });
    await expect(job.getQueryResults()).rejects.toMatchObject({ message: expect.stringContaining("timed out") });
  });
});

describe("jobs.get and jobs.list", () => {
  it("returns no job of another location", async () => {
    await client.createQueryJob({ jobId: "north", query: "SELECT 1 AS x" });
    await expect(client.job("north", { location: "US" }).getMetadata()).rejects.toMatchObject({
      code: 404,
      message: `Not found: Job ${PROJECT}:US.north`,
    });
  });

  it("lists jobs newest first, page by page", async () => {
    await client.createQueryJob({ jobId: "older", query: "SELECT 1 AS x" });
    await client.createQueryJob({ jobId: "newer", query: "SELECT 1 AS x" });
    const [jobs, next] = await client.getJobs({ maxResults: 1, autoPaginate: false });
    expect(jobs.map(({ id }) => id)).toEqual(["newer"]);
    const [more] = await client.getJobs({ ...next, autoPaginate: false });
    expect(more.map(({ id }) => id)).toEqual(["older"]);
  });

  it("lists the jobs that were created in a time", async () => {
    const [first] = await client.createQueryJob({ jobId: "timed-1", query: "SELECT 1 AS x" });
    const { creationTime } = (await metadataOf(first)).statistics;
    const [last] = await client.createQueryJob({ jobId: "timed-2", query: "SELECT 1 AS x" });
    const end = Number((await metadataOf(last)).statistics.creationTime);
    const listed = async (minCreationTime: string, maxCreationTime: string) => {
      const [jobs] = await client.getJobs({ minCreationTime, maxCreationTime });
      return jobs.map(({ id }) => id);
    };
    expect(await listed(creationTime, String(end))).toEqual(expect.arrayContaining(["timed-1", "timed-2"]));
    expect(await listed(String(end + 1), String(end + 2))).toEqual([]);
    expect(await listed("0", String(Number(creationTime) - 1))).not.toContain("timed-1");
  });
});

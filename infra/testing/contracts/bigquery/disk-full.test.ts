import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fillDisk, mountSmallDisk, unmount } from "../../engines/small-disk.ts";
import { BUCKET, LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const DDL = `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.t (id INT64, name STRING)`;

let disk: string;
let warehouse: WarehouseUnderTest | undefined;

beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), "populus-small-"));
});

afterEach(async () => {
  await warehouse?.close();
  unmount(disk);
  await rm(disk, { recursive: true });
});

it("a change without disk space is a backendError and undone; reads continue; with space again, changes succeed", async (context) => {
  if (!mountSmallDisk(disk, 64)) context.skip("this machine does not allow mounting a disk");
  const served = await startWarehouseUnderTest({ dataDirectory: disk, ddl: DDL });
  warehouse = served;
  await served.client.query("INSERT INTO facts.t (id, name) VALUES (1, 'one')");
  const filler = join(disk, "filler");
  fillDisk(filler, disk);
  const headers = { authorization: `Bearer ${served.tokenOf("functions")}`, "content-type": "application/json" };
  const insert = async (id: string, query: string) => {
    const body = { jobReference: { jobId: id, location: LOCATION }, configuration: { query: { query, useLegacySql: false } } };
    const url = `${served.origin}/bigquery/v2/projects/${PROJECT}/jobs`;
    return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const large =
    "INSERT INTO facts.t (id, name) SELECT x, CONCAT(CAST(x * 7919 AS STRING), CAST(x * 104729 AS STRING), CAST(x * 611953 AS STRING), CAST(x * 1299709 AS STRING)) FROM UNNEST(GENERATE_ARRAY(1, 200000)) AS x";
  const files = `EXPORT DATA OPTIONS (uri = 'gs://${BUCKET}/full/part-*', format = 'CSV', compression = 'GZIP') AS
    SELECT x, CONCAT(CAST(x * 7919 AS STRING), CAST(x * 611953 AS STRING)) AS y FROM UNNEST(GENERATE_ARRAY(1, 300000)) AS x`;
  for (const [id, query] of [
    ["rows", large],
    ["files", files],
  ] as const) {
    const answer = await insert(id, query);
    if (answer.status === 200) {
      // The job was small enough to be accepted, so it ends with the error.
      const status = async () => (await served.client.job(id, { location: LOCATION }).getMetadata())[0].status;
      await expect.poll(status, { timeout: 60_000 }).toMatchObject({ state: "DONE" });
      expect((await status()).errorResult).toEqual({
        reason: "backendError",
        message: "The local BigQuery has no space left on its disk.",
      });
    } else expect(answer.status).toBe(503);
  }
  expect(served.store.list(BUCKET, { prefix: "full/" }).items).toEqual([]);
  expect((await served.client.dataset("facts").table("t").getRows())[0]).toEqual([{ id: 1, name: "one" }]);
  await rm(filler);
  expect((await insert("rows-again", large)).status).toBe(200);
  await served.client.job("rows-again", { location: LOCATION }).getQueryResults();
  await served.tidy();
  await served.close();
  // A failed job stays failed: the next process does not resume it.
  warehouse = await startWarehouseUnderTest({ dataDirectory: disk });
  expect((await warehouse.client.query("SELECT COUNT(*) AS n FROM facts.t"))[0]).toEqual([{ n: 200_001 }]);
});

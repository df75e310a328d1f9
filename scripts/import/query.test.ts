import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { NoRow, statement } from "../../shared/google/statement.ts";
import { query } from "./warehouse.ts";

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
});

afterAll(() => warehouse.close());

const target = () => ({ bigquery: warehouse.client, location: LOCATION, countries: {} });

const Configuration = v.object({
  configuration: v.object({
    labels: v.record(v.string(), v.string()),
    query: v.object({ query: v.string(), maximumBytesBilled: v.string(), queryParameters: v.array(v.object({ name: v.string() })) }),
  }),
});

test("a statement of an import has a limit of billed bytes and labels, and passes values only as parameters", async () => {
  const checksum = statement(v.object({ checksum: v.string() }), "SELECT @checksum AS checksum", {
    checksum: { type: "STRING", value: "e3b0c442" },
  });
  expect(await query(target(), checksum, { table: "odm_daily" })).toEqual([{ checksum: "e3b0c442" }]);
  const [jobs] = await warehouse.client.getJobs();
  const sent = await Promise.all(jobs.map(async (job) => v.parse(Configuration, (await job.getMetadata())[0]).configuration));
  expect(sent).toEqual([
    {
      labels: { table: "odm_daily" },
      query: { query: checksum.sql, maximumBytesBilled: expect.stringMatching(/^[1-9]\d+$/), queryParameters: [{ name: "checksum" }] },
    },
  ]);
});

const Failed = v.object({ status: v.object({ errorResult: v.object({ message: v.string() }) }) });

test("a transaction that the warehouse aborts because of another one is run again, so that both take effect", async () => {
  await warehouse.applyDdl(
    `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.batch (n INT64); INSERT INTO facts.batch (n) VALUES (0)`,
  );
  const add = statement(
    NoRow,
    `BEGIN TRANSACTION; UPDATE facts.batch SET n = n + 1 WHERE TRUE; SELECT SUM(a) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a; COMMIT TRANSACTION`,
    {},
  );
  await Promise.all([query(target(), add, {}), query(target(), add, {})]);
  expect((await warehouse.client.query("SELECT n FROM facts.batch"))[0]).toEqual([{ n: 2 }]);
  const [jobs] = await warehouse.client.getJobs();
  const messages = jobs.flatMap(({ metadata }) => {
    const failed = v.safeParse(Failed, metadata);
    return failed.success ? [failed.output.status.errorResult.message] : [];
  });
  // The one that is run again may come too early once more.
  expect(messages).not.toEqual([]);
  for (const message of messages) expect(message).toContain("aborted due to concurrent update against table demo-local:facts.batch.");
});

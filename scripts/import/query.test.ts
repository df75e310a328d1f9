import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { statement } from "../../shared/google/statement.ts";
import { query } from "./warehouse.ts";

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
});

afterAll(() => warehouse.close());

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
  const target = { bigquery: warehouse.client, location: LOCATION, countries: {} };
  expect(await query(target, checksum, { table: "odm_daily" })).toEqual([{ checksum: "e3b0c442" }]);
  const [jobs] = await warehouse.client.getJobs();
  const sent = await Promise.all(jobs.map(async (job) => v.parse(Configuration, (await job.getMetadata())[0]).configuration));
  expect(sent).toEqual([
    {
      labels: { table: "odm_daily" },
      query: { query: checksum.sql, maximumBytesBilled: expect.stringMatching(/^[1-9]\d+$/), queryParameters: [{ name: "checksum" }] },
    },
  ]);
});

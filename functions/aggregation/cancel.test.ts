import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { JOB_BODY as body, runningJob } from "../../infra/testing/running-job.ts";
import { call, keyOf, newCustomer, runJob } from "../../infra/testing/service.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { warehouseJobIds } from "../../shared/aggregation/warehouse-job-ids.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { statement } from "../../shared/google/statement.ts";
import { config } from "../../shared/runtime/config.ts";

const customer = await newCustomer();
const other = await newCustomer();
const key = keyOf(customer);

function cancel(id: string, of = key) {
  return call("data", "POST", `/data-agg/cancel/${id}`, { key: of });
}

describe("cancelling", () => {
  it("a running job stops its query in the warehouse and frees its slot", async () => {
    const id = await runningJob(customer);
    const warehouse = openWarehouse(config());
    const { summary } = warehouseJobIds({ id, attempt: 1 });
    const sql = "SELECT SUM(MOD(a * b, 7)) AS s FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a, UNNEST(GENERATE_ARRAY(1, 1000000)) AS b";
    const endless = statement(v.unknown(), sql, {});
    await warehouse.start(summary, endless, { customer: "all" });
    const answer = await cancel(id);
    expect(answer).toMatchObject({ status: 200, body: { job_id: id, status: "cancelled", error: null, finished_at: expect.any(String) } });
    expect(await warehouse.wait(summary, endless, 20_000)).toMatchObject({ state: "failed", reason: "stopped" });
    expect(await call("data", "GET", `/data-agg/results/${id}`, { key })).toMatchObject({ status: 409, body: { code: "job_cancelled" } });
    expect(await runJob(key, body)).toMatchObject({ status: "completed" });
  });

  it("a queued job removes it from the queue", async () => {
    const running = await Promise.all(Array.from({ length: 5 }, () => runningJob(customer)));
    const { job_id: id } = v.parse(SubmitResponse, (await call("data", "POST", "/data-agg", { key, body })).body);
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: "cancelled", started_at: null } });
    for (const one of running) await cancel(one);
    expect(await call("data", "GET", `/data-agg/status/${id}`, { key })).toMatchObject({ body: { status: "cancelled" } });
    expect(await runJob(key, body)).toMatchObject({ status: "completed" });
  });

  it("a finished job is a conflict that reports its status, and changes nothing", async () => {
    const { id } = await runJob(key, body);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: "conflict", detail: expect.stringContaining("is completed") } });
    expect(await call("data", "GET", `/data-agg/results/${id}`, { key })).toMatchObject({ status: 200 });
  });

  it("twice is a conflict the second time", async () => {
    const id = await runningJob(customer);
    expect(await cancel(id)).toMatchObject({ status: 200 });
    expect(await cancel(id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining("is cancelled") } });
  });

  it("another customer's job gets the response of one that does not exist, and leaves it running", async () => {
    const id = await runningJob(customer);
    expect(await cancel(id, keyOf(other))).toMatchObject({ status: 404, body: { code: "not_found", detail: "There is no such job" } });
    expect(await call("data", "GET", `/data-agg/status/${id}`, { key })).toMatchObject({ body: { status: "running" } });
    await cancel(id);
  });
});

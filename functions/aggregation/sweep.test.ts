import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import sweep from "./sweep.ts";

const db = new Firestore({ projectId: ready.project });

afterAll(() => db.terminate());

const body = {
  agg_type: "odm",
  measure: "trips",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "grid_1000m",
  start_time: "2020-01-01",
  end_time: "2020-01-02",
};

describe("the sweeper", () => {
  it("gives freed slots to queued jobs, past one that cannot be read", async () => {
    const customer = await newCustomer({ limits: { runningJobs: 0, unfinishedJobs: 10 } });
    const key = keyOf(customer);
    const submit = async () => v.parse(SubmitResponse, (await call("data", "POST", "/data-agg", { key, body })).body).job_id;
    const statusOf = async (id: string) => (await call("data", "GET", `/data-agg/status/${id}`, { key })).body;
    const spoilt = await submit();
    const sound = [await submit(), await submit()];
    await db.collection("jobs").doc(spoilt).update({ progress: "a lot" });
    await db.collection("customers").doc(customer.uid).update({ "limits.runningJobs": 2 });
    await sweep.run();
    for (const id of sound)
      await expect.poll(() => statusOf(id), { timeout: 60_000, interval: 20 }).toMatchObject({ status: "completed", progress: 100 });
    // Otherwise every sweep of the service under test would log an ERROR for it.
    await db.collection("jobs").doc(spoilt).delete();
  });

  it("redelivers lost messages", async () => {
    const customer = await newCustomer({ limits: { runningJobs: 0, unfinishedJobs: 10 } });
    const key = keyOf(customer);
    const submitted = v.parse(SubmitResponse, (await call("data", "POST", "/data-agg", { key, body })).body);
    const longAgo = new Date(Date.now() - 6 * 60_000);
    // As after a delivery that crashed: only the sweeper will send it again.
    const job = { placed: true, status: "running", dispatch: false, startedAt: longAgo, touchedAt: longAgo };
    await db.collection("jobs").doc(submitted.job_id).update(job);
    await db.collection("customers").doc(customer.uid).update({ running: 1, waiting: 0 });
    await sweep.run();
    await expect
      .poll(async () => (await call("data", "GET", submitted.status_url, { key })).body, { timeout: 60_000, interval: 20 })
      .toMatchObject({ status: "completed" });
    expect((await db.collection("customers").doc(customer.uid).get()).data()).toMatchObject({ running: 0, waiting: 0 });
  });
});

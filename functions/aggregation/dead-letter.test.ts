import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import { PubSub } from "@google-cloud/pubsub";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { newOdmJob } from "../../shared/aggregation/testing/job-path.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { statement } from "../../shared/google/statement.ts";
import { begin } from "../../shared/jobs/job-state.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { config } from "../../shared/runtime/config.ts";

const FIRST = { attempt: 1, step: 0 };
const db = new Firestore({ projectId: ready.project });
const pubsub = new PubSub({ projectId: ready.project });
const deadLetters = pubsub.topic("aggregations-dead-letter");
const jobs = openJobs(config());

afterAll(() => Promise.all([db.terminate(), pubsub.close()]));

const body = {
  agg_type: "odm",
  measure: "trips",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "grid_1000m",
  start_time: "2020-01-01",
  end_time: "2020-01-02",
};

/** A running job of a customer with one slot, without any delivery. */
async function placedJob() {
  const customer = await newCustomer({ limits: { runningJobs: 1, unfinishedJobs: 10 } });
  const [id, now] = [randomUUID(), new Date()];
  await jobs.submit(customer.uid, { now, make: (placed) => newOdmJob(id, customer.uid, false, placed, now) });
  return { customer, id, key: keyOf(customer) };
}

/** The log lines of the dead-letter function that contain a text. */
function logged(text: string): unknown[] {
  const lines = readFileSync(join(dirname(ready.countries_file), "functions.log"), "utf8").split("\n");
  return lines.filter((line) => line.includes('"aggregation-dead-letter"') && line.includes(text)).map((line) => JSON.parse(line));
}

function statusOf(id: string, key: string): Promise<unknown> {
  return call("data", "GET", `/data-agg/status/${id}`, { key }).then((answer) => answer.body);
}

const patient = { timeout: 60_000, interval: 20 };

describe("a job that no delivery can process", () => {
  it("fails after the maximum number of deliveries, its slot goes to the next job, and the operator is notified", async () => {
    const { customer, id, key } = await placedJob();
    // The id of its summary is taken by a statement with unusable rows: attaching to it fails.
    await openWarehouse(config()).start(`agg_${id}_1_summary`, statement(v.unknown(), "SELECT 1 AS one", {}), { customer: "all" });
    const waiting = v.parse(SubmitResponse, (await call("data", "POST", "/data-agg", { key, body })).body).job_id;
    const [topic] = await pubsub.createTopic(`poison-${id}`);
    await topic.createSubscription(`poison-${id}-run`, {
      pushConfig: { pushEndpoint: `${ready.functions["aggregation-run"]}/${topic.name}` },
      retryPolicy: { minimumBackoff: { seconds: 0 }, maximumBackoff: { seconds: 0 } },
      deadLetterPolicy: { deadLetterTopic: `projects/${ready.project}/topics/aggregations-dead-letter`, maxDeliveryAttempts: 5 },
    });
    await topic.publishMessage({ json: { job_id: id, ...FIRST } });
    await expect
      .poll(() => statusOf(id, key), patient)
      .toMatchObject({ status: "failed", error: expect.stringMatching(/could not be processed .* please submit it again/) });
    await expect.poll(() => statusOf(waiting, key), patient).toMatchObject({ status: "completed" });
    await expect
      .poll(() => logged(id), patient)
      .toMatchObject([{ severity: "ERROR", function: "aggregation-dead-letter", jobId: id, uid: customer.uid, ...FIRST }]);
    expect((await db.collection("customers").doc(customer.uid).get()).data()).toMatchObject({ running: 0, waiting: 0 });
    expect((await call("data", "GET", `/data-agg/results/${id}`, { key })).body).toMatchObject({ status: 409, code: "job_failed" });
    await topic.delete();
  });
});

describe("a dead letter", () => {
  it("of an earlier delivery than the one the job waits for changes nothing", async () => {
    const { id, key } = await placedJob();
    await jobs.update(id, (job) => begin({ ...job, step: 3 }, { ...FIRST, step: 3 }, new Date()));
    const before = await jobs.get(id);
    await deadLetters.publishMessage({ json: { job_id: id, attempt: 1, step: 2 } });
    await expect.poll(() => logged(id), patient).toMatchObject([{ severity: "INFO", message: "A dead letter is stale", step: 2 }]);
    expect(await jobs.get(id)).toEqual(before);
    await call("data", "POST", `/data-agg/cancel/${id}`, { key });
  });

  it("of a deleted job is acknowledged", async () => {
    const id = randomUUID();
    await deadLetters.publishMessage({ json: { job_id: id, ...FIRST } });
    await expect.poll(() => logged(id), patient).toMatchObject([{ severity: "INFO", message: "A dead letter is stale" }]);
  });

  it("of a job that cannot be read notifies the operator, and leaves the job for later", async () => {
    const { id } = await placedJob();
    await db.collection("jobs").doc(id).update({ progress: "a lot" });
    await deadLetters.publishMessage({ json: { job_id: id, ...FIRST } });
    await expect.poll(() => logged(id), patient).toMatchObject([{ severity: "ERROR", jobId: id }]);
    expect((await db.collection("jobs").doc(id).get()).data()).toMatchObject({ status: "queued", placed: true });
    await db.collection("jobs").doc(id).delete();
  });

  it("that is not a job message notifies the operator", async () => {
    await deadLetters.publishMessage({ json: { job_id: 7 } });
    await expect.poll(() => logged("A message that cannot be read"), patient).toMatchObject([{ severity: "ERROR" }]);
  });
});

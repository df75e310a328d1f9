import { CloudTasksClient } from "@google-cloud/tasks";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RecordingTarget, startRecordingTarget } from "../../infra/testing/engines/recording-target.ts";
import { newCustomer, ready } from "../../infra/testing/service.ts";
import { type FrameworkProcess, startFramework } from "../../infra/testing/shutdown/framework-process.ts";
import { type SlowBigQuery, startSlowBigQuery } from "../../infra/testing/shutdown/slow-bigquery.ts";
import { newOdmJob } from "../../shared/aggregation/testing/job-path.ts";
import { grpcAddress } from "../../shared/google/grpc-address.ts";
import { JobMessage } from "../../shared/jobs/job-message.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { config } from "../../shared/runtime/config.ts";

const ENTRY = new URL("../../infra/testing/shutdown/worker-entry.ts", import.meta.url);
const QUEUE = "of-the-shutdown";
const JOB_ID = crypto.randomUUID();
const Published = v.object({ messages: v.tuple([v.object({ data: v.string() })]) });

const workers: FrameworkProcess[] = [];
const jobs = openJobs(config());
let topic: RecordingTarget;
let bigquery: SlowBigQuery;

beforeEach(async () => {
  [topic, bigquery] = await Promise.all([startRecordingTarget(), startSlowBigQuery()]);
  const tasks = new CloudTasksClient({ projectId: ready.project, ...grpcAddress(config().addresses.tasks) });
  const name = tasks.queuePath(ready.project, config().queueRegion, QUEUE);
  await tasks.createQueue({ parent: tasks.locationPath(ready.project, config().queueRegion), queue: { name } });
  await tasks.close();
});

afterEach(async () => {
  for (const worker of workers) worker.process.kill("SIGKILL");
  await Promise.all([...workers.map(({ exit }) => exit), topic.close(), bigquery.close()]);
});

async function startWorker(): Promise<FrameworkProcess> {
  const env = { QUEUE, PUBSUB_REST_URL: topic.url, BIGQUERY_URL: `http://${bigquery.address}`, FUNCTION_SIGNATURE_TYPE: "cloudevent" };
  const worker = await startFramework({ entry: ENTRY, target: "worker", env });
  workers.push(worker);
  return worker;
}

/** Delivers a message like the topic's push subscription. Returns the status of the response. */
async function push({ url }: FrameworkProcess, data: string): Promise<number> {
  const message = { data, messageId: "1", publishTime: new Date().toISOString(), attributes: {} };
  const body = JSON.stringify({ subscription: `projects/${ready.project}/subscriptions/${QUEUE}`, message });
  return (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })).status;
}

it("a worker that shuts down while waiting for the warehouse acknowledges, and another continues with the same query at once", async () => {
  const { uid } = await newCustomer();
  const submitted = await jobs.submit(uid, { now: new Date(), make: (placed) => newOdmJob(JOB_ID, uid, false, placed, new Date()) });
  expect(submitted.outcome).toBe("created");
  const first = { job_id: JOB_ID, attempt: 1, step: 0 };
  const worker = await startWorker();
  const delivery = push(worker, Buffer.from(JSON.stringify(first)).toString("base64"));
  await bigquery.waitedFor();
  worker.process.kill("SIGTERM");
  expect({ status: await delivery, exit: await worker.exit }).toEqual({ status: 204, exit: 0 });

  const [published] = await topic.received(1);
  const [{ data }] = v.parse(Published, JSON.parse(published?.body ?? "")).messages;
  expect(v.parse(JobMessage, JSON.parse(Buffer.from(data, "base64").toString()))).toEqual({ ...first, step: 1 });
  expect(await jobs.get(JOB_ID)).toMatchObject({ status: "running", step: 1, dispatch: true });

  const other = await startWorker();
  bigquery.letGo();
  expect(await push(other, data)).toBe(204);
  expect(await jobs.get(JOB_ID)).toMatchObject({ status: "completed", attempt: 1, progress: 100 });
  expect({ started: bigquery.started, attached: bigquery.attached() }).toEqual({ started: [`agg_${JOB_ID}_1_summary`], attached: 1 });
});

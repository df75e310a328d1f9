import { CloudTasksClient } from "@google-cloud/tasks";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalServer } from "../../infra/local/server.ts";
import { startTasks } from "../../infra/local/tasks/server.ts";
import { grpcAddress } from "../google/grpc-address.ts";
import { parseConfig } from "../runtime/config.ts";
import { openJobQueue } from "./job-queue.ts";

let server: LocalServer;
let client: CloudTasksClient;
const PROJECT = "populus-job-queue";
const MESSAGE = { job_id: "00000000-0000-4000-8000-000000000001", attempt: 1, step: 1 };
/** The body of a task: a Pub/Sub publish request. */
const Published = v.object({ messages: v.tuple([v.object({ data: v.string() })]) });

beforeAll(async () => {
  process.env.METADATA_SERVER_DETECTION = "none";
  server = await startTasks();
  client = new CloudTasksClient({ projectId: PROJECT, ...grpcAddress(server.address) });
  const name = client.queuePath(PROJECT, "europe-north1", "aggregations");
  await client.createQueue({ parent: client.locationPath(PROJECT, "europe-north1"), queue: { name } });
});

afterAll(async () => {
  await client.close();
  await server.close();
});

it("creates one task per delivery of a job, however often the delivery is enqueued", async () => {
  const environment = { GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports", TASKS_ADDRESS: server.address };
  const queue = openJobQueue(parseConfig(environment));
  const later = new Date(Date.now() + 3_600_000);
  const deliveries = [MESSAGE, { ...MESSAGE, step: 2 }, { ...MESSAGE, attempt: 2 }];
  for (const message of [...deliveries, MESSAGE]) await queue.enqueue(message, later);
  const parent = client.queuePath(PROJECT, "europe-north1", "aggregations");
  const [tasks] = await client.listTasks({ parent, responseView: "FULL" });
  const published = tasks.map(({ httpRequest }) => v.parse(Published, JSON.parse(Buffer.from(httpRequest?.body ?? "").toString())));
  const messages = published.map(({ messages: [{ data }] }) => JSON.parse(Buffer.from(data, "base64").toString()));
  expect(messages).toHaveLength(3);
  expect(messages).toEqual(expect.arrayContaining(deliveries));
});

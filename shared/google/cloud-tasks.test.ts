import { CloudTasksClient } from "@google-cloud/tasks";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalServer } from "../../infra/local/server.ts";
import { startTasks } from "../../infra/local/tasks/server.ts";
import { parseConfig } from "../runtime/config.ts";
import { openTaskQueue } from "./cloud-tasks.ts";
import { grpcAddress } from "./grpc-address.ts";

let server: LocalServer;
let client: CloudTasksClient;
const PROJECT = "populus-queue";
const MESSAGE = { text: "a message" };

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

it("a message is delayed until its time, and a second one with the same id is dropped", async () => {
  const environment = { GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports", TASKS_ADDRESS: server.address };
  const queue = openTaskQueue(parseConfig(environment));
  const at = new Date(Date.now() + 3_600_250);
  await queue.enqueue("one", MESSAGE, at);
  await queue.enqueue("one", MESSAGE);
  const [tasks] = await client.listTasks({ parent: client.queuePath(PROJECT, "europe-north1", "aggregations") });
  const times = tasks.map(({ scheduleTime }) => Number(scheduleTime?.seconds) * 1000 + Number(scheduleTime?.nanos) / 1e6);
  expect(times).toEqual([at.getTime()]);
});

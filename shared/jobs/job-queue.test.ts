import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalTaskQueue, startTaskQueue } from "../../infra/testing/engines/task-queue.ts";
import { openJobQueue } from "./job-queue.ts";

let local: LocalTaskQueue;
const MESSAGE = { job_id: "00000000-0000-4000-8000-000000000001", attempt: 1, step: 1 };
/** The body of a task: a Pub/Sub publish request. */
const Published = v.object({ messages: v.tuple([v.object({ data: v.string() })]) });

beforeAll(async () => {
  local = await startTaskQueue("populus-job-queue");
});

afterAll(() => local.close());

it("creates one task per delivery of a job, however often the delivery is enqueued", async () => {
  const queue = openJobQueue(local.config);
  const later = new Date(Date.now() + 3_600_000);
  const deliveries = [MESSAGE, { ...MESSAGE, step: 2 }, { ...MESSAGE, attempt: 2 }];
  for (const message of [...deliveries, MESSAGE]) await queue.enqueue(message, later);
  const tasks = await local.tasks();
  const published = tasks.map(({ httpRequest }) => v.parse(Published, JSON.parse(Buffer.from(httpRequest?.body ?? "").toString())));
  const messages = published.map(({ messages: [{ data }] }) => JSON.parse(Buffer.from(data, "base64").toString()));
  expect(messages).toHaveLength(3);
  expect(messages).toEqual(expect.arrayContaining(deliveries));
});

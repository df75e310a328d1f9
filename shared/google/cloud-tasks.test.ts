import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalTaskQueue, startTaskQueue } from "../../infra/testing/engines/task-queue.ts";
import { openTaskQueue } from "./cloud-tasks.ts";

let local: LocalTaskQueue;
const MESSAGE = { text: "a message" };

beforeAll(async () => {
  local = await startTaskQueue("populus-queue");
});

afterAll(() => local.close());

it("a message is delayed until its time, and a second one with the same id is dropped", async () => {
  const queue = openTaskQueue(local.config);
  const at = new Date(Date.now() + 3_600_250);
  await queue.enqueue("one", MESSAGE, at);
  await queue.enqueue("one", MESSAGE);
  const tasks = await local.tasks();
  const times = tasks.map(({ scheduleTime }) => Number(scheduleTime?.seconds) * 1000 + Number(scheduleTime?.nanos) / 1e6);
  expect(times).toEqual([at.getTime()]);
});

import { CloudTasksClient, type protos } from "@google-cloud/tasks";
import { status } from "@grpc/grpc-js";
import { expect, vi } from "vitest";
import { Identity } from "../../local/identity.ts";
import { startTasks } from "../../local/tasks/server.ts";
import { loopbackClient } from "./loopback-client.ts";
import { ManualClock } from "./manual-clock.ts";
import { type RecordingTarget, startRecordingTarget } from "./recording-target.ts";

export type Task = protos.google.cloud.tasks.v2.ITask;
export type Queue = protos.google.cloud.tasks.v2.IQueue;

export const LOCATION = "projects/demo-local/locations/europe-north1";
export const QUEUE = `${LOCATION}/queues/aggregations`;
export const ACCOUNT = "queue@demo-local.iam.gserviceaccount.com";
export const HOUR = 3_600_000;

/** Cloud Tasks on a manual clock, the real client, and a target of the tasks, for tests. */
export interface Fixture {
  readonly clock: ManualClock;
  readonly identity: Identity;
  readonly target: RecordingTarget;
  readonly client: CloudTasksClient;
  createQueue(queue?: Queue): Promise<unknown>;
  /** Creates a task. By default it posts to the target. */
  createTask(task?: Task, parent?: string): Promise<Task>;
  getTask(name: string): Promise<Task>;
  inSeconds(seconds: number): { readonly seconds: number };
  /** Waits until a timer of this many milliseconds runs. */
  scheduledIn(milliseconds: number): Promise<void>;
  /** Waits until the task with that id no longer exists. */
  gone(id: string): Promise<void>;
  close(): Promise<void>;
}

export function named(id: string): { name: string } {
  return { name: `${QUEUE}/tasks/${id}` };
}

export async function startFixture(): Promise<Fixture> {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  const clock = new ManualClock();
  const identity = new Identity(() => clock.now());
  identity.addAccount(ACCOUNT);
  const target = await startRecordingTarget();
  const server = await startTasks({ clock, identity });
  const client = new CloudTasksClient(loopbackClient(server.address));
  return {
    clock,
    identity,
    target,
    client,
    createQueue: (queue = {}) => client.createQueue({ parent: LOCATION, queue: { name: QUEUE, ...queue } }),
    async createTask(task = {}, parent = QUEUE) {
      const [created] = await client.createTask({ parent, task: { httpRequest: { url: `${target.url}/run` }, ...task } });
      return created;
    },
    async getTask(name) {
      const [task] = await client.getTask({ name });
      return task;
    },
    inSeconds: (seconds) => ({ seconds: clock.now() / 1000 + seconds }),
    scheduledIn: (milliseconds) => vi.waitFor(() => expect(clock.waits()).toContain(milliseconds), { interval: 1 }),
    gone: (id) => vi.waitFor(() => expect(client.getTask(named(id))).rejects.toMatchObject({ code: status.NOT_FOUND }), { interval: 5 }),
    async close() {
      await client.close();
      await server.close();
      await target.close();
    },
  };
}

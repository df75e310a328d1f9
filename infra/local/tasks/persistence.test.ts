import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudTasksClient, type protos } from "@google-cloud/tasks";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Killable, startKillable } from "../../testing/engines/killable.ts";
import { loopbackClient } from "../../testing/engines/loopback-client.ts";
import { ManualClock } from "../../testing/engines/manual-clock.ts";
import { type RecordingTarget, startRecordingTarget } from "../../testing/engines/recording-target.ts";
import { chanceOf } from "../../testing/reference/chance.ts";
import { startTasks } from "./server.ts";

const LOCATION = "projects/demo-local/locations/europe-north1";
const QUEUE = `${LOCATION}/queues/aggregations`;
const HOUR = 3_600_000;
/** The client retries UNAVAILABLE for a long time. */
const ONCE = { retry: null };

let directory: string;
let target: RecordingTarget;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  directory = mkdtempSync(join(tmpdir(), "kept-tasks-"));
  target = await startRecordingTarget();
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await target.close();
  rmSync(directory, { recursive: true, force: true });
});

function connect(address: string): CloudTasksClient {
  const client = new CloudTasksClient(loopbackClient(address));
  ends.push(() => client.close());
  return client;
}

async function started(roomKiB?: number): Promise<{ readonly server: Killable; readonly client: CloudTasksClient }> {
  const server = await startKillable({ product: "tasks", directory, ...(roomKiB === undefined ? {} : { roomKiB }) });
  ends.push(() => server.kill());
  return { server, client: connect(server.address) };
}

const taskName = (id: string): string => `${QUEUE}/tasks/${id}`;
const later = (): { seconds: number } => ({ seconds: Math.floor(Date.now() / 1000) + 3600 });

function createTask(client: CloudTasksClient, id: string, task: protos.google.cloud.tasks.v2.ITask = {}) {
  return client.createTask({ parent: QUEUE, task: { name: taskName(id), httpRequest: { url: `${target.url}/${id}` }, ...task } });
}

async function idsOf(client: CloudTasksClient): Promise<string[]> {
  const [tasks] = await client.listTasks({ parent: QUEUE });
  return tasks.map(({ name }) => (name ?? "").slice(`${QUEUE}/tasks/`.length)).sort();
}

describe("a Cloud Tasks with a data folder that is killed while clients create tasks", () => {
  it("has or has sent every acknowledged task, and refuses all of their names", { timeout: 60_000 }, async () => {
    const chance = chanceOf(63);
    const acknowledged = new Set<string>();
    const deleting = new Set<string>();
    const deleted = new Set<string>();
    let { server, client } = await started();
    await client.createQueue({ parent: LOCATION, queue: { name: QUEUE } });
    for (let round = 0; round < 5; round += 1) {
      const acknowledgements = chance.whole(1, 200);
      let count = 0;
      let killed: Promise<void> | undefined;
      const writer = async (number: number): Promise<void> => {
        for (let n = 0; killed === undefined; n += 1) {
          const [when, task] = number % 2 ? ["now", {}] : ["later", { scheduleTime: later() }];
          const id = `${when}-${round}-${number}-${n}`;
          await createTask(client, id, task);
          acknowledged.add(id);
          if (number === 0 && n % 2) {
            deleting.add(id);
            await client.deleteTask({ name: taskName(id) }, ONCE);
            deleted.add(id);
          }
          count += 1;
          if (count === acknowledgements) killed = server.kill();
        }
      };
      await Promise.all([0, 1, 2, 3, 4, 5].map((number) => writer(number).catch(() => undefined)));
      await killed;
      ({ server, client } = await started());
      const waiting = new Set(await idsOf(client));
      for (const id of acknowledged) {
        if (deleted.has(id)) expect(waiting).not.toContain(id);
        else if (id.startsWith("later") && !deleting.has(id)) expect(waiting).toContain(id);
      }
      const again = await Promise.all(Array.from(acknowledged, (id) => createTask(client, id).catch(({ code }) => code)));
      expect(new Set(again)).toEqual(new Set([status.ALREADY_EXISTS]));
    }
    const due = [...acknowledged].filter((id) => id.startsWith("now"));
    const sent = () => new Set(target.requests.map(({ path }) => path.slice(1)));
    await vi.waitFor(() => expect(due.filter((id) => !sent().has(id))).toEqual([]), { timeout: 60_000 });
    for (const id of deleted) expect(sent().has(id)).toBe(false);
    expect(deleted.size).toBeGreaterThan(5);
    expect(due.length).toBeGreaterThan(50);
  });
});

describe("a Cloud Tasks that is restarted on its data folder", () => {
  async function startedAt(clock: ManualClock, pubsubAddress?: string) {
    const server = await startTasks({ clock, dataDirectory: directory, ...(pubsubAddress === undefined ? {} : { pubsubAddress }) });
    return { client: connect(server.address), stop: () => server.close() };
  }

  it("restores its queues, paused, deleted and purged ones too, with the attempts of their tasks", async () => {
    const clock = new ManualClock();
    const { client, stop } = await startedAt(clock);
    const [paused, gone, purged] = ["paused", "gone", "purged"].map((id) => `${LOCATION}/queues/${id}`);
    for (const name of [QUEUE, paused, gone, purged]) await client.createQueue({ parent: LOCATION, queue: { name: name ?? "" } });
    await client.pauseQueue({ name: paused ?? "" });
    await client.createTask({
      parent: purged ?? "",
      task: { httpRequest: { url: target.url }, scheduleTime: { seconds: clock.now() / 1000 + 60 } },
    });
    await client.purgeQueue({ name: purged ?? "" });
    await client.deleteQueue({ name: gone ?? "" });
    target.respond(() => ({ status: 503 }));
    await createTask(client, "failing", { httpRequest: { url: target.url, httpMethod: "PUT", headers: { "X-A": "b" }, body: "eA==" } });
    await vi.waitFor(() => expect(clock.waits()).toContain(100), { interval: 1 });
    const tell = async (from: CloudTasksClient) => [
      await from.listQueues({ parent: LOCATION }).then(([queues]) => queues),
      await from.getTask({ name: taskName("failing"), responseView: "FULL" }).then(([task]) => task),
      await from.listTasks({ parent: purged ?? "" }).then(([tasks]) => tasks),
    ];
    const before = await tell(client);
    await stop();
    const { client: again, stop: stopAgain } = await startedAt(clock);
    ends.push(stopAgain);
    expect(await tell(again)).toEqual(before);
    for (const [name, code] of [
      [QUEUE, status.ALREADY_EXISTS],
      [gone, status.FAILED_PRECONDITION],
    ] as const)
      await expect(again.createQueue({ parent: LOCATION, queue: { name: name ?? "" } })).rejects.toMatchObject({ code });
    clock.advance(100);
    const [, second] = await target.received(2);
    expect(second).toMatchObject({ method: "PUT", body: "x", headers: { "x-a": "b", "x-cloudtasks-taskretrycount": "1" } });
  });

  it("refuses the name of a finished task for one hour", async () => {
    const clock = new ManualClock();
    const { client, stop } = await startedAt(clock);
    await client.createQueue({ parent: LOCATION, queue: { name: QUEUE } });
    await createTask(client, "once");
    await target.received(1);
    await vi.waitFor(async () => expect(await idsOf(client)).toEqual([]), { interval: 1 });
    await stop();
    clock.advance(HOUR - 1);
    const { client: again, stop: stopAgain } = await startedAt(clock);
    ends.push(stopAgain);
    await expect(createTask(again, "once")).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
    clock.advance(1);
    await createTask(again, "once");
  });

  it("takes one of several tasks of a name that are created at once", async () => {
    const { client, stop } = await startedAt(new ManualClock());
    ends.push(stop);
    await client.createQueue({ parent: LOCATION, queue: { name: QUEUE } });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        createTask(client, "once", { scheduleTime: { seconds: 3600 } }).then(
          () => "taken",
          ({ code }) => code,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array(7).fill(status.ALREADY_EXISTS), "taken"]);
  });

  it("sends tasks for the local Pub/Sub to its new address after every move", async () => {
    const clock = new ManualClock();
    const moved = [await startRecordingTarget(), await startRecordingTarget()];
    for (const each of moved) ends.push(() => each.close());
    const [first, second] = moved;
    const { client, stop } = await startedAt(clock, target.address);
    await client.createQueue({ parent: LOCATION, queue: { name: QUEUE } });
    await createTask(client, "a", { scheduleTime: { seconds: clock.now() / 1000 + 60 } });
    await stop();
    await (await startedAt(clock, first?.address)).stop();
    ends.push((await startedAt(clock, second?.address)).stop);
    clock.advance(60_000);
    expect((await second?.received(1))?.map(({ path }) => path)).toEqual(["/a"]);
    expect(target.requests).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("a Cloud Tasks whose disk is full", () => {
  it("refuses tasks as UNAVAILABLE, continues to send its tasks, and accepts new ones when there is space", {
    timeout: 60_000,
  }, async () => {
    const { server, client } = await started(100);
    await client.createQueue({ parent: LOCATION, queue: { name: QUEUE } });
    const acknowledged: string[] = [];
    const fill = async (size: number): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const id = `later-${size}-${n}`;
        const httpRequest = { url: target.url, body: Buffer.alloc(size, 120).toString("base64") };
        await createTask(client, id, { scheduleTime: later(), httpRequest });
        acknowledged.push(id);
      }
    };
    for (const size of [5000, 100, 1]) await expect(fill(size)).rejects.toMatchObject({ code: status.UNAVAILABLE, details: /no space/ });
    expect(await idsOf(client)).toEqual([...acknowledged].sort());
    const [first = ""] = acknowledged;
    await expect(client.deleteTask({ name: taskName(first) }, ONCE)).rejects.toMatchObject({ code: status.UNAVAILABLE });
    await client.runTask({ name: taskName(first) });
    await target.received(1);
    await vi.waitFor(async () => expect(await idsOf(client)).not.toContain(first), { interval: 5 });
    server.makeRoom();
    await createTask(client, "again", { scheduleTime: later() });
    await server.kill();
    const { client: after } = await started();
    expect(await idsOf(after)).toEqual([...acknowledged.slice(1), "again"].sort());
  });
});

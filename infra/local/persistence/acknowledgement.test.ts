import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import { CloudTasksClient } from "@google-cloud/tasks";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loopbackClient } from "../../testing/engines/loopback-client.ts";
import { startFirestore } from "../firestore/start.ts";
import { startPubSub } from "../pubsub/server.ts";
import { startTasks } from "../tasks/server.ts";

const Pulled = v.object({ receivedMessages: v.array(v.object({ message: v.object({ attributes: v.object({ id: v.string() }) }) })) });
const CHANGES = 8;
const LOCATION = "projects/demo-local/locations/europe-north1";
let root: string;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  root = mkdtempSync(join(tmpdir(), "acknowledged-"));
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(root, { recursive: true, force: true });
});

/** A client that changes a product's state, and reads the ids of all changes from it. */
interface Client {
  readonly change: (id: string) => Promise<unknown>;
  readonly read: () => Promise<string[]>;
}

const CLIENTS: Readonly<Record<string, (dataDirectory: string) => Promise<Client>>> = {
  async Firestore(dataDirectory) {
    const server = await startFirestore({ project: "demo-local", dataDirectory });
    vi.stubEnv("FIRESTORE_EMULATOR_HOST", server.address);
    const db = new Firestore({ projectId: "demo-local" });
    ends.push(() => Promise.all([db.terminate(), server.close()]));
    const read = async () => (await db.collection("a").get()).docs.map(({ id }) => id);
    return { change: (id) => db.doc(`a/${id}`).create({ n: 1 }), read };
  },
  async "Pub/Sub"(dataDirectory) {
    const server = await startPubSub({ dataDirectory });
    ends.push(() => server.close());
    const api = `http://${server.address}/v1/projects/demo-local`;
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${api}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
      return response.json();
    };
    await call("PUT", "topics/jobs", {});
    await call("PUT", "subscriptions/jobs", { topic: "projects/demo-local/topics/jobs" });
    const change = (id: string) => call("POST", "topics/jobs:publish", { messages: [{ attributes: { id } }] });
    const read = async () => {
      const pulled = await call("POST", "subscriptions/jobs:pull", { maxMessages: 1000, returnImmediately: true });
      return v.parse(Pulled, pulled).receivedMessages.map(({ message }) => message.attributes.id);
    };
    return { change, read };
  },
  async "Cloud Tasks"(dataDirectory) {
    const server = await startTasks({ dataDirectory });
    const client = new CloudTasksClient(loopbackClient(server.address));
    ends.push(() => Promise.all([client.close(), server.close()]));
    const queue = `${LOCATION}/queues/q`;
    await client.createQueue({ parent: LOCATION, queue: { name: queue } }).catch(() => undefined);
    const change = (id: string) =>
      client.createTask({
        parent: queue,
        task: {
          name: `${queue}/tasks/${id}`,
          scheduleTime: { seconds: Date.now() / 1000 + 3600 },
          httpRequest: { url: `http://127.0.0.1:1/${id}` },
        },
      });
    const read = async () => (await client.listTasks({ parent: queue }))[0].map(({ name }) => name?.slice(`${queue}/tasks/`.length) ?? "");
    return { change, read };
  },
};

describe.each(Object.entries(CLIENTS))("%s with a data folder", (_, start) => {
  it("acknowledges a change when it is in the file and not before, also many at once", async () => {
    const { change } = await start(join(root, "data"));
    const acknowledged: string[] = [];
    const copies = await Promise.all(
      Array.from({ length: CHANGES }, async (_, n) => {
        await change(`${n}`);
        acknowledged.push(`${n}`);
        // What a kill right after the acknowledgement leaves.
        const copy = join(root, `copy ${n}`);
        cpSync(join(root, "data"), copy, { recursive: true });
        return { copy, expected: [...acknowledged] };
      }),
    );
    for (const { copy, expected } of copies) expect(await (await start(copy)).read()).toEqual(expect.arrayContaining(expected));
  });
});

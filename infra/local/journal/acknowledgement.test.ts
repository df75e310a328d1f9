import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import { CloudTasksClient } from "@google-cloud/tasks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loopbackClient } from "../../testing/engines/loopback-client.ts";
import { startFirestore } from "../firestore/start.ts";
import { startPubSub } from "../pubsub/server.ts";
import { startTasks } from "../tasks/server.ts";
import { systemDisk } from "./append-file.ts";

const { sync } = systemDisk;
const LOCATION = "projects/demo-local/locations/europe-north1";
let dataDirectory: string;
let end: () => Promise<unknown>;

beforeEach(() => {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  dataDirectory = mkdtempSync(join(tmpdir(), "acknowledged-"));
});

afterEach(async () => {
  systemDisk.sync = sync;
  await end();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** One call that changes a product's state, and one that reads from it. */
interface Client {
  readonly change: () => Promise<unknown>;
  readonly read: () => Promise<unknown>;
}

const CLIENTS: Readonly<Record<string, () => Promise<Client>>> = {
  async Firestore() {
    const server = await startFirestore({ project: "demo-local", dataDirectory });
    vi.stubEnv("FIRESTORE_EMULATOR_HOST", server.address);
    const db = new Firestore({ projectId: "demo-local" });
    end = () => Promise.all([db.terminate(), server.close()]);
    return { change: () => db.doc("a/b").set({ n: 1 }), read: () => db.doc("a/c").get() };
  },
  async "Pub/Sub"() {
    const server = await startPubSub({ dataDirectory });
    end = () => server.close();
    const topic = `http://${server.address}/v1/projects/demo-local/topics/jobs`;
    const change = async () => expect((await fetch(topic, { method: "PUT", body: "{}" })).status).toBe(200);
    return { change, read: () => fetch(topic) };
  },
  async "Cloud Tasks"() {
    const server = await startTasks({ dataDirectory });
    const client = new CloudTasksClient(loopbackClient(server.address));
    end = () => Promise.all([client.close(), server.close()]);
    const change = () => client.createQueue({ parent: LOCATION, queue: { name: `${LOCATION}/queues/q` } });
    return { change, read: () => client.listQueues({ parent: LOCATION }) };
  },
};

describe.each(Object.entries(CLIENTS))("%s with a data folder", (_, start) => {
  it("acknowledges a change when it is on the disk and not before, and serves reads meanwhile", async () => {
    const { change, read } = await start();
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    systemDisk.sync = async (handle) => {
      begun.resolve();
      await release.promise;
      await sync(handle);
    };
    let acknowledged = false;
    const changed = change().then(() => {
      acknowledged = true;
    });
    await begun.promise;
    await read();
    expect(acknowledged).toBe(false);
    release.resolve();
    await changed;
  });
});

import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Child, endChild, startChild } from "../infra/local/child.ts";
import { FunctionsReady } from "../infra/local/messages.ts";
import { restClient } from "../infra/testing/engines/pubsub-rest-client.ts";
import { Any, clientOf, Headcounts, JobPage, JobStand } from "../infra/testing/rehearsal/client.ts";
import { walkJourneys } from "../infra/testing/rehearsal/journeys.ts";
import { unpackReleased } from "../infra/testing/rehearsal/releases.ts";
import { keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { DOCUMENTS } from "../scripts/release/recorded.ts";
import { Documents, Fields, fromJson, Recorded } from "../scripts/release/stored-documents.ts";
import { keyHash } from "../shared/accounts/api-key.ts";
import { newApiKey } from "../shared/accounts/machine-accounts.ts";

const Maps = v.object({ maps: v.array(v.object({ id: v.string(), name: v.string() })) });
const Accounts = v.object({ machineAccounts: v.array(v.object({ keyLabel: v.string() })) });
const Pulled = v.object({ receivedMessages: v.array(v.object({ message: v.looseObject({ data: v.string() }) })) });

/** The functions of the last release, as `npm run release` has recorded them, beside this checkout's and on the same stores. */
describe("while this release is rolled out or back, the last one runs beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "populus-last-release-"));
  const logFile = join(folder, "functions.log");
  const pubsub = restClient(ready.pubsub_host, ready.project);
  const subscription = `subscriptions/last-release-${randomUUID()}`;
  let last: Child<FunctionsReady>;

  beforeAll(async () => {
    const env = { ...process.env, ...inject("environment"), LOCAL_PORTS: "{}" };
    last = await startChild({ file: unpackReleased(folder), env, logFile, ready: FunctionsReady });
    expect(await pubsub("PUT", subscription, { topic: `projects/${ready.project}/topics/aggregations` })).toMatchObject({ status: 200 });
  });
  afterAll(async () => {
    await pubsub("DELETE", subscription);
    await endChild(last?.process);
    rmSync(folder, { recursive: true, force: true });
  });

  const both = async () => {
    const admin = { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } as const;
    const customer = await newCustomer({ keys: { admin }, allow: { scopes: ["realtime"], profiles: ["storage"] } });
    const [key, { uid }, { ports }] = [keyOf(customer, "admin"), customer, last.ready];
    const before = { users: `http://127.0.0.1:${ports.users}`, data: `http://127.0.0.1:${ports.data}` };
    const now = { users: ready.users_base_url, data: ready.data_base_url };
    return { before: clientOf({ uid, key }, before), now: clientOf({ uid, key }, now) };
  };
  /** Delivers the messages of jobs, which the topic has had, to a worker as well. */
  const deliver = async (worker: string, jobs: readonly string[]): Promise<void> => {
    const pulled = v.parse(Pulled, (await pubsub("POST", `${subscription}:pull`, { maxMessages: 1000 })).body).receivedMessages;
    const textOf = ({ data }: { data: string }) => Buffer.from(data, "base64").toString("utf8");
    const own = pulled.map(({ message }) => message).filter((message) => jobs.some((job) => textOf(message).includes(job)));
    expect(own.length).toBeGreaterThanOrEqual(jobs.length);
    for (const message of own) {
      const body = JSON.stringify({ message, subscription: "projects/demo-local/subscriptions/aggregations-run" });
      const { status } = await fetch(worker, { method: "POST", headers: { "content-type": "application/json" }, body });
      expect(status).toBe(204);
    }
  };

  it.each(readdirSync(DOCUMENTS))("and this release reads and changes the documents that %s left", async (file) => {
    const { uid, main, usage } = v.parse(Recorded, JSON.parse(readFileSync(new URL(file, DOCUMENTS), "utf8")));
    const key = newApiKey();
    // The recorded key is nobody's: its document is stored under the hash of another one.
    const [hash = ""] = Object.keys(main).flatMap((path) =>
      main[path]?.machineAccountAdmin === true ? path.slice("apiKeys/".length) : [],
    );
    const { firestore_databases: databases, project, firestore_host: host } = ready;
    for (const [databaseId, documents] of [[databases.main, main] as const, [databases.usage, usage] as const]) {
      const db = new Firestore({ projectId: project, databaseId, host, ssl: false });
      const stored = JSON.stringify(documents).replaceAll(hash, keyHash("local", key));
      for (const [path, fields] of Object.entries(v.parse(Documents, JSON.parse(stored))))
        await db.doc(path).set(v.parse(Fields, fromJson(fields)));
      await db.terminate();
    }
    const client = clientOf({ uid, key }, { users: ready.users_base_url, data: ready.data_base_url });
    const { maps } = await client.send({ api: "users", path: "/admin/maps" }, 200, Maps);
    expect(maps).toHaveLength(Object.keys(main).filter((path) => path.startsWith("maps/")).length);
    const { rows } = await client.send({ api: "data", path: "/admin/realtime/data" }, 200, Headcounts);
    expect(rows.map(({ target_id }) => target_id).sort()).toEqual(maps.map(({ id }) => id).sort());
    for (const { id, name } of maps) {
      await client.send({ api: "users", method: "PUT", path: `/admin/maps/${id}`, body: { name: `${name}, later` } }, 200, Any);
      await client.send({ api: "data", method: "POST", path: "/admin/realtime", body: { map_id: id, enable: false } }, 200, Any);
      await client.send({ api: "users", method: "DELETE", path: `/admin/maps/${id}` }, 200, Any);
    }
    const { jobs } = await client.send({ api: "data", path: "/data-agg/jobs" }, 200, JobPage);
    expect(jobs).toHaveLength(Object.keys(main).filter((path) => path.startsWith("jobs/")).length);
    for (const { job_id } of jobs) await client.send({ api: "data", path: `/data-agg/status/${job_id}?include=request` }, 200, JobStand);
    const accounts = `/users/${uid}/machine-accounts`;
    const { machineAccounts } = await client.send({ api: "users", path: `${accounts}/list` }, 200, Accounts);
    expect(machineAccounts.map(({ keyLabel }) => keyLabel).sort()).toEqual(["admin", "left"]);
    await client.send({ api: "users", method: "POST", path: accounts, body: { keyLabel: "left" } }, 200, Any);
    await client.send({ api: "users", path: "/users/me" }, 200, Any);
  });

  it("and reads, takes and ends what this release has written, handed out or begun", async () => {
    const { before, now } = await both();
    const { jobs } = await walkJourneys({ one: now, other: before }, "to-last");
    await deliver(`http://127.0.0.1:${last.ready.ports["aggregation-run"]}/`, jobs);
    expect(readFileSync(logFile, "utf8")).not.toContain('"ERROR"');
  });

  it("and this release reads, takes and ends what the last one has", async () => {
    const { before, now } = await both();
    const { jobs } = await walkJourneys({ one: before, other: now }, "from-last");
    await deliver(ready.functions["aggregation-run"] ?? "", jobs);
    expect(readFileSync(logFile, "utf8")).not.toContain('"ERROR"');
  });
});

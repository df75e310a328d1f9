import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PubSub } from "@google-cloud/pubsub";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Killable, startKillable } from "../../testing/engines/killable.ts";
import { pushedBody } from "../../testing/engines/pushed-body.ts";
import { type RecordingTarget, startRecordingTarget } from "../../testing/engines/recording-target.ts";
import { chanceOf } from "../../testing/reference/chance.ts";

const PROJECT = "demo-local";
const TOPIC = `projects/${PROJECT}/topics/jobs`;
const PULLED = `projects/${PROJECT}/subscriptions/pulled`;

const Published = v.object({ messageIds: v.array(v.string()) });
const Pulled = v.object({
  receivedMessages: v.optional(
    v.array(
      v.object({
        ackId: v.string(),
        deliveryAttempt: v.optional(v.number()),
        message: v.object({ messageId: v.string(), data: v.string() }),
      }),
    ),
    [],
  ),
});

let directory: string;
let target: RecordingTarget;
let server: Killable;

beforeEach(async () => {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  directory = mkdtempSync(join(tmpdir(), "kept-pubsub-"));
  target = await startRecordingTarget();
});

afterEach(async () => {
  await server.kill();
  await target.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(roomKiB?: number): Promise<Killable> {
  server = await startKillable({ product: "pubsub", directory, ...(roomKiB === undefined ? {} : { roomKiB }) });
  return server;
}

async function rest(method: string, name: string, body: object = {}): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://${server.address}/v1/${name}`, {
    method,
    headers,
    ...(method !== "GET" && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function publish(...texts: string[]): Promise<string[]> {
  const { status, body } = await rest("POST", `${TOPIC}:publish`, { messages: texts.map((text) => ({ data: base64(text) })) });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return v.parse(Published, body).messageIds;
}

async function pulled(subscription = PULLED) {
  const { body } = await rest("POST", `${subscription}:pull`, { maxMessages: 1000, returnImmediately: true });
  return v.parse(Pulled, body).receivedMessages;
}

describe("a Pub/Sub with a data folder that is killed while clients publish", () => {
  it("delivers every acknowledged message, and publish requests stay whole", { timeout: 60_000 }, async () => {
    const chance = chanceOf(62);
    await start();
    await rest("PUT", TOPIC);
    await rest("PUT", PULLED, { topic: TOPIC, ackDeadlineSeconds: 600 });
    const expected = new Map<string, string>();
    const ids = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const acknowledgements = chance.whole(1, 300);
      let count = 0;
      let killed: Promise<void> | undefined;
      const publisher = async (writer: number): Promise<void> => {
        for (let n = 0; killed === undefined; n += 1) {
          const texts = ["a", "b"].map((part) => `${round}-${writer}-${n}-${part}`);
          const given = await publish(...texts).catch(() => []);
          for (const [index, id] of given.entries()) {
            expect(ids.has(id)).toBe(false);
            ids.add(id);
            expected.set(id, texts[index] ?? "");
          }
          count += 1;
          if (count === acknowledgements) killed = server.kill();
        }
      };
      await Promise.all([0, 1, 2, 3, 4, 5].map(publisher));
      await killed;
      await start();
      const received = await pulled();
      const texts = new Map(received.map(({ message }) => [message.messageId, Buffer.from(message.data, "base64").toString()]));
      for (const [id, text] of expected) expect(texts.get(id)).toBe(text);
      const all = new Set([...texts.values()]);
      for (const text of all) expect(all.has(text.replace(/.$/, (part) => (part === "a" ? "b" : "a")))).toBe(true);
      // The messages of all publishers but the first are acknowledged. They may be redelivered; the others must be.
      const acked = received.filter(({ message }) => !/^\d+-0-/.test(texts.get(message.messageId) ?? ""));
      await rest("POST", `${PULLED}:acknowledge`, { ackIds: acked.map(({ ackId }) => ackId) });
      for (const { message } of acked) expected.delete(message.messageId);
    }
    expect(ids.size).toBeGreaterThan(200);
    expect(expected.size).toBeGreaterThan(10);
  });

  it("restores delivery counts, rejects old ack ids, and continues its message ids", async () => {
    await start();
    await rest("PUT", TOPIC);
    const deadLetterPolicy = { deadLetterTopic: TOPIC, maxDeliveryAttempts: 5 };
    await rest("PUT", PULLED, { topic: TOPIC, ackDeadlineSeconds: 600, deadLetterPolicy });
    const [first = ""] = await publish("x");
    const [before] = await pulled();
    // A delivery is only noted. It is written with the next change at the latest.
    await rest("PUT", `projects/${PROJECT}/topics/later`);
    await server.kill();
    await start();
    const [after] = await pulled();
    expect([before?.deliveryAttempt, after?.deliveryAttempt]).toEqual([1, 2]);
    expect(after?.message.messageId).toBe(first);
    await rest("POST", `${PULLED}:acknowledge`, { ackIds: [before?.ackId] });
    await rest("POST", `${PULLED}:modifyAckDeadline`, { ackIds: [after?.ackId], ackDeadlineSeconds: 0 });
    expect((await pulled()).map(({ deliveryAttempt }) => deliveryAttempt)).toEqual([3]);
    const [next = ""] = await publish("y");
    expect(Number(next)).toBeGreaterThan(Number(first));
  });

  it("restores its topics and subscriptions, without the deleted ones", async () => {
    await start();
    vi.stubEnv("PUBSUB_EMULATOR_HOST", server.address);
    const pubsub = new PubSub({ projectId: PROJECT });
    const [topic] = await pubsub.createTopic("jobs");
    const [gone] = await pubsub.createTopic("gone-topic");
    await gone.createSubscription("orphan");
    await gone.delete();
    const settings = {
      pushConfig: {
        pushEndpoint: `${target.url}/old`,
        oidcToken: { serviceAccountEmail: "a@b.c" },
        attributes: { "x-goog-version": "v1" },
      },
      retryPolicy: { minimumBackoff: { seconds: 1 }, maximumBackoff: { seconds: 60 } },
      expirationPolicy: {},
      enableMessageOrdering: true,
    };
    await topic.createSubscription("pushed", settings);
    const [dropped] = await topic.createSubscription("dropped");
    await publish("to the dropped one");
    await dropped.delete();
    await pubsub.subscription("pushed").modifyPushConfig({ pushEndpoint: `${target.url}/new` });
    const list = async () => [await rest("GET", `projects/${PROJECT}/topics`), await rest("GET", `projects/${PROJECT}/subscriptions`)];
    const before = await list();
    await pubsub.close();
    await server.kill();
    await start();
    expect(await list()).toEqual(before);
    expect((await rest("PUT", TOPIC)).status).toBe(409);
    expect((await rest("GET", "projects/demo-local/subscriptions/orphan")).body).toMatchObject({ topic: "_deleted-topic_" });
    await rest("PUT", "projects/demo-local/subscriptions/dropped", { topic: TOPIC });
    expect(await pulled("projects/demo-local/subscriptions/dropped")).toEqual([]);
  });

  it("pushes unacknowledged messages to the subscription's new endpoint, and none to the former one", async () => {
    target.respond(() => ({ status: 503 }));
    await start();
    await rest("PUT", TOPIC);
    const name = `projects/${PROJECT}/subscriptions/pushed`;
    const retryPolicy = { minimumBackoff: "600s", maximumBackoff: "600s" };
    await rest("PUT", name, { topic: TOPIC, pushConfig: { pushEndpoint: `${target.url}/old` }, retryPolicy });
    const [id = ""] = await publish("x");
    await target.received(1);
    await server.kill();
    target.respond(() => ({ status: 204 }));
    await start();
    await rest("POST", `${TOPIC}:publish`, { messages: [{ data: base64("y") }] });
    await rest("POST", `${name}:modifyPushConfig`, { pushConfig: { pushEndpoint: `${target.url}/new` } });
    await target.received(3);
    expect(target.requests.map(({ path }) => path)).toEqual(["/old", "/new", "/new"]);
    expect(target.requests.slice(1).map((request) => pushedBody(request).message.messageId)).toContain(id);
  });
});

describe.skipIf(process.platform !== "linux")("a Pub/Sub whose disk is full", () => {
  it("returns 503 to publishers, continues to deliver, and accepts messages again when there is space", { timeout: 60_000 }, async () => {
    await start(100);
    await rest("PUT", TOPIC);
    await rest("PUT", PULLED, { topic: TOPIC, ackDeadlineSeconds: 600 });
    const acknowledged: string[] = [];
    const fill = async (size: number): Promise<unknown> => {
      for (;;) {
        const { status, body } = await rest("POST", `${TOPIC}:publish`, { messages: [{ data: base64("x".repeat(size)) }] });
        if (status !== 200) return { status, body };
        acknowledged.push(...v.parse(Published, body).messageIds);
      }
    };
    const refusal = { status: 503, body: { error: { code: 503, status: "UNAVAILABLE", message: expect.stringContaining("no space") } } };
    for (const size of [5000, 300, 1]) expect(await fill(size)).toEqual(refusal);
    const received = await pulled();
    expect(received.map(({ message }) => message.messageId).sort()).toEqual([...acknowledged].sort());
    const [ended] = received;
    await rest("POST", `${PULLED}:acknowledge`, { ackIds: [ended?.ackId] });
    server.makeRoom();
    acknowledged.push(...(await publish("again")));
    await server.kill();
    await start();
    const ids = (await pulled()).map(({ message }) => message.messageId);
    expect(ids.sort()).toEqual(acknowledged.filter((id) => id !== ended?.message.messageId).sort());
  });
});

import { once } from "node:events";
import { v1 } from "@google-cloud/pubsub";
import { status } from "@grpc/grpc-js";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loopbackClient } from "../../testing/engines/loopback-client.ts";
import { ManualClock } from "../../testing/engines/manual-clock.ts";
import { type RestClient, restClient } from "../../testing/engines/pubsub-rest-client.ts";
import type { LocalServer } from "../server.ts";
import { startPubSub } from "./server.ts";

vi.stubEnv("METADATA_SERVER_DETECTION", "none");

const SUBSCRIPTION = "projects/demo-local/subscriptions/pulled";
const Pulled = v.object({
  receivedMessages: v.optional(v.array(v.object({ ackId: v.string(), message: v.object({ data: v.string() }) })), []),
});

let clock: ManualClock;
let server: LocalServer;
let rest: RestClient;
let client: InstanceType<typeof v1.SubscriberClient>;

beforeEach(async () => {
  clock = new ManualClock();
  server = await startPubSub({ clock });
  rest = restClient(server.address, "demo-local");
  client = new v1.SubscriberClient(loopbackClient(server.address));
  await rest("PUT", "topics/jobs", {});
  await rest("PUT", "subscriptions/pulled", { topic: "projects/demo-local/topics/jobs" });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

async function publish(...texts: string[]): Promise<void> {
  const published = await rest("POST", "topics/jobs:publish", {
    messages: texts.map((text) => ({ data: Buffer.from(text).toString("base64") })),
  });
  expect(published.status).toBe(200);
}

async function pull(options: { maxMessages?: number; returnImmediately?: boolean } = { returnImmediately: true }) {
  const { body } = await rest("POST", "subscriptions/pulled:pull", { maxMessages: 10, ...options });
  const received = v.parse(Pulled, body).receivedMessages;
  return received.map(({ ackId, message }) => ({ ackId, text: Buffer.from(message.data, "base64").toString() }));
}

const texts = (pulled: readonly { readonly text: string }[]) => pulled.map(({ text }) => text);
const ackIds = (pulled: readonly { readonly ackId: string }[]) => pulled.map(({ ackId }) => ackId);

describe("a pull", () => {
  it("returns at most the requested number, each message to one caller", async () => {
    await publish("a", "b", "c");
    expect(texts(await pull({ maxMessages: 2 }))).toEqual(["a", "b"]);
    expect(texts(await pull())).toEqual(["c"]);
    expect(texts(await pull())).toEqual([]);
  });

  it("waits for the first message, and returns none after the timeout", async () => {
    const vain = pull({});
    await vi.waitFor(() => expect(clock.waits()).toEqual([90_000]), { interval: 1 });
    clock.advance(90_000);
    expect(await vain).toEqual([]);
    const waiting = pull({});
    await vi.waitFor(() => expect(clock.waits()).toEqual([90_000]), { interval: 1 });
    await publish("late");
    expect(texts(await waiting)).toEqual(["late"]);
  });

  it("does not return messages older than the retention", async () => {
    await rest("PATCH", "subscriptions/pulled", {
      subscription: { messageRetentionDuration: "600s" },
      updateMask: "messageRetentionDuration",
    });
    await publish("old");
    clock.advance(1);
    await publish("new");
    clock.advance(600_000);
    expect(texts(await pull())).toEqual(["new"]);
  });

  it("of a caller that went away receives no message", async () => {
    const gone = new AbortController();
    const url = `http://${server.address}/v1/${SUBSCRIPTION}:pull`;
    const abandoned = fetch(url, { method: "POST", body: '{"maxMessages":1}', signal: gone.signal });
    await vi.waitFor(() => expect(clock.waits()).toEqual([90_000]), { interval: 1 });
    gone.abort();
    await expect(abandoned).rejects.toThrow();
    await vi.waitFor(() => expect(clock.waits()).toEqual([]), { interval: 1 });
    await publish("kept");
    expect(texts(await pull())).toEqual(["kept"]);
  });

  it("withholds a message until its ack deadline, then returns it again with another ack id", async () => {
    await publish("a");
    const first = await pull();
    clock.advance(9999);
    expect(await pull()).toEqual([]);
    clock.advance(1);
    const second = await pull();
    expect(texts(second)).toEqual(["a"]);
    expect(ackIds(second)).not.toEqual(ackIds(first));
    await rest("POST", "subscriptions/pulled:acknowledge", { ackIds: ackIds(first) });
    clock.advance(10_000);
    const third = await pull();
    expect(texts(third)).toEqual(["a"]);
    await rest("POST", "subscriptions/pulled:acknowledge", { ackIds: ackIds(third) });
    clock.advance(10_000);
    expect(await pull()).toEqual([]);
  });

  it("can be extended, or returned at once", async () => {
    await publish("a");
    const first = await pull();
    await rest("POST", "subscriptions/pulled:modifyAckDeadline", { ackIds: ackIds(first), ackDeadlineSeconds: 600 });
    clock.advance(599_999);
    expect(await pull()).toEqual([]);
    clock.advance(1);
    const second = await pull();
    expect(texts(second)).toEqual(["a"]);
    await rest("POST", "subscriptions/pulled:modifyAckDeadline", { ackIds: ackIds(second), ackDeadlineSeconds: 0 });
    expect(texts(await pull())).toEqual(["a"]);
  });

  it.each<[string, object, number]>([
    ["acknowledge", { ackIds: ["junk"] }, 400],
    ["acknowledge", { ackIds: ["projects/demo-local/subscriptions/other:1"] }, 400],
    ["acknowledge", { ackIds: [`${SUBSCRIPTION}:999`] }, 200],
    ["modifyAckDeadline", { ackIds: [`${SUBSCRIPTION}:1`], ackDeadlineSeconds: 601 }, 400],
    ["modifyAckDeadline", { ackIds: [`${SUBSCRIPTION}:1`], ackDeadlineSeconds: -1 }, 400],
    ["pull", { maxMessages: 0 }, 400],
  ])("%s with %j is answered with %i", async (method, body, code) => {
    expect((await rest("POST", `subscriptions/pulled:${method}`, body)).status).toBe(code);
  });

  it("is refused as FAILED_PRECONDITION on a push subscription", async () => {
    await rest("POST", "subscriptions/pulled:modifyPushConfig", { pushConfig: { pushEndpoint: "http://127.0.0.1:1" } });
    await expect(client.pull({ subscription: SUBSCRIPTION, maxMessages: 1 })).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
  });
});

describe("a streaming pull", () => {
  it("respects the client's limit of outstanding messages", async () => {
    await publish("a", "b", "c");
    const stream = client.streamingPull();
    stream.write({ subscription: SUBSCRIPTION, streamAckDeadlineSeconds: 10, maxOutstandingMessages: 2 });
    const [first] = await once(stream, "data");
    const received = first.receivedMessages.map(({ message }: { message: { data: Buffer } }) => String(message.data));
    expect(received).toEqual(["a", "b"]);
    stream.write({ ackIds: [first.receivedMessages[0].ackId] });
    const [second] = await once(stream, "data");
    expect(second.receivedMessages.map(({ message }: { message: { data: Buffer } }) => String(message.data))).toEqual(["c"]);
    stream.end();
    await once(stream, "end");
  });

  it("sends keep-alives to clients that expect them", async () => {
    const stream = client.streamingPull();
    stream.write({ subscription: SUBSCRIPTION, streamAckDeadlineSeconds: 10, protocolVersion: 1 });
    stream.write({});
    const [answer] = await once(stream, "data");
    expect(answer.receivedMessages).toEqual([]);
    stream.end();
    await once(stream, "end");
  });

  it("releases its messages after their deadline, also after it ended", async () => {
    await publish("a");
    const stream = client.streamingPull();
    stream.write({ subscription: SUBSCRIPTION, streamAckDeadlineSeconds: 20 });
    await once(stream, "data");
    stream.end();
    await once(stream, "end");
    expect(await pull()).toEqual([]);
    clock.advance(20_000);
    expect(texts(await pull())).toEqual(["a"]);
  });

  it.each<[string, object, number]>([
    ["an unknown subscription", { subscription: "projects/demo-local/subscriptions/none", streamAckDeadlineSeconds: 10 }, status.NOT_FOUND],
    ["a deadline that is too short", { subscription: SUBSCRIPTION, streamAckDeadlineSeconds: 9 }, status.INVALID_ARGUMENT],
    ["no subscription", {}, status.NOT_FOUND],
  ])("of %s is refused", async (_, request, code) => {
    const stream = client.streamingPull();
    stream.write(request);
    const [error] = await once(stream, "error").catch((thrown: unknown) => [thrown]);
    expect(error).toMatchObject({ code });
  });
});

describe("unsupported features", () => {
  it.each<[string, object]>([
    ["a filter", { filter: 'attributes.kind = "a"' }],
    ["exactly-once delivery", { enableExactlyOnceDelivery: true }],
    ["BigQuery subscriptions", { bigqueryConfig: { table: "p.d.t" } }],
    ["unwrapped pushes", { pushConfig: { pushEndpoint: "http://127.0.0.1:1", noWrapper: {} } }],
  ])("%s is refused as UNIMPLEMENTED", async (_, options) => {
    const subscription = { name: `${SUBSCRIPTION}-2`, topic: "projects/demo-local/topics/jobs", ...options };
    await expect(client.createSubscription(subscription)).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it("seek and snapshots are UNIMPLEMENTED", async () => {
    const snapshot = "projects/demo-local/snapshots/snap";
    await expect(client.seek({ subscription: SUBSCRIPTION, snapshot })).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it("an unknown path or malformed JSON is refused over REST", async () => {
    expect(await rest("GET", "snapshots/x")).toMatchObject({ status: 404, body: { error: { status: "NOT_FOUND" } } });
    const malformed = await fetch(`http://${server.address}/v1/${SUBSCRIPTION}:pull`, { method: "POST", body: "{" });
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ error: { code: 400, status: "INVALID_ARGUMENT" } });
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../testing/engines/manual-clock.ts";
import { type RestClient, restClient } from "../../testing/engines/pubsub-rest-client.ts";
import { pushedBody } from "../../testing/engines/pushed-body.ts";
import { type RecordingTarget, startRecordingTarget } from "../../testing/engines/recording-target.ts";
import { Identity } from "../identity.ts";
import type { LocalServer } from "../server.ts";
import { startPubSub } from "./server.ts";

const ACCOUNT = "push@demo-local.iam.gserviceaccount.com";
const TOPIC = "projects/demo-local/topics/jobs";
const DEADLINE_MS = 10_000;

let clock: ManualClock;
let identity: Identity;
let target: RecordingTarget;
let server: LocalServer;
let rest: RestClient;

beforeEach(async () => {
  clock = new ManualClock();
  identity = new Identity(() => clock.now());
  identity.addAccount(ACCOUNT);
  target = await startRecordingTarget();
  server = await startPubSub({ clock, identity });
  rest = restClient(server.address, "demo-local");
  await rest("PUT", "topics/jobs", {});
});

afterEach(async () => {
  await server.close();
  await target.close();
});

async function subscribe(options: object = {}): Promise<void> {
  const created = await rest("PUT", "subscriptions/push", { topic: TOPIC, pushConfig: { pushEndpoint: target.url }, ...options });
  expect(created.status).toBe(200);
}

async function publish(...texts: string[]): Promise<void> {
  const published = await rest("POST", "topics/jobs:publish", {
    messages: texts.map((text) => ({ data: Buffer.from(text).toString("base64") })),
  });
  expect(published.status).toBe(200);
}

function textOf(request: { readonly body: string } | undefined): string {
  return Buffer.from(pushedBody(request).message.data, "base64").toString();
}

function waiting(milliseconds: number): Promise<void> {
  return vi.waitFor(() => expect(clock.waits()).toEqual([milliseconds]), { interval: 1 });
}

function idle(): Promise<void> {
  return vi.waitFor(() => expect(clock.waits()).toEqual([]), { interval: 1 });
}

describe("a push subscription", () => {
  it("delivers at once; each of Google's five acknowledging codes ends the delivery", async () => {
    await subscribe();
    const codes = [200, 201, 202, 204];
    target.respond((_, index) => ({ status: codes[index] ?? 500 }));
    await publish("a", "b", "c", "d");
    expect((await target.received(4)).map(textOf).sort()).toEqual(["a", "b", "c", "d"]);
    await idle();
  });

  it.each([203, 301, 400, 429, 500])("treats %i as a failure", async (code) => {
    await subscribe();
    target.respond(() => ({ status: code, headers: { location: target.url } }));
    await publish("x");
    await waiting(100);
    expect(target.requests).toHaveLength(1);
  });

  it("redelivers after the retry policy's backoff, doubled each time up to the maximum", async () => {
    await subscribe({ retryPolicy: { minimumBackoff: "2s", maximumBackoff: "7s" } });
    target.respond((_, index) => ({ status: index < 4 ? 500 : 204 }));
    await publish("x");
    for (const backoff of [2000, 4000, 7000, 7000]) {
      await waiting(backoff);
      clock.advance(backoff - 1);
      expect(clock.waits()).toEqual([1]);
      clock.advance(1);
    }
    await target.received(5);
    await idle();
  });

  it("redelivers from 100 ms on without a policy", async () => {
    await subscribe();
    target.respond((_, index) => ({ status: index < 3 ? 500 : 204 }));
    await publish("x");
    for (const backoff of [100, 200, 400]) {
      await waiting(backoff);
      clock.advance(backoff);
    }
    await target.received(4);
    await idle();
  });

  it("redelivers messages that were not answered by the ack deadline or could not be sent", async () => {
    await subscribe();
    target.respond((_, index) => (index === 0 ? new Promise(() => {}) : { status: 204 }));
    await publish("slow");
    await target.received(1);
    clock.advance(DEADLINE_MS);
    await waiting(100);
    clock.advance(100);
    await target.received(2);
    await idle();
    const closed = await startRecordingTarget();
    await closed.close();
    await rest("POST", "subscriptions/push:modifyPushConfig", { pushConfig: { pushEndpoint: closed.url } });
    await publish("nobody");
    await waiting(100);
  });

  it("keeps at most 64 requests running", async () => {
    await subscribe();
    const release: (() => void)[] = [];
    target.respond(() => new Promise((resolve) => release.push(() => resolve({ status: 204 }))));
    await publish(...Array.from({ length: 70 }, (_, index) => `${index}`));
    await target.received(64);
    expect(clock.waits()).toEqual(Array.from({ length: 64 }, () => DEADLINE_MS));
    release[0]?.();
    await target.received(65);
    expect(release).toHaveLength(65);
    target.respond(() => ({ status: 204 }));
    for (const answer of release) answer();
    await target.received(70);
    await idle();
  });

  it("counts the attempts with a dead-letter policy, and moves the message to its topic after the last", async () => {
    await rest("PUT", "topics/dead", {});
    await rest("PUT", "subscriptions/dead-letters", { topic: "projects/demo-local/topics/dead" });
    await subscribe({
      deadLetterPolicy: { deadLetterTopic: "projects/demo-local/topics/dead", maxDeliveryAttempts: 5 },
      retryPolicy: { minimumBackoff: "0s" },
    });
    target.respond(() => ({ status: 500 }));
    await publish("poison");
    const attempts = (await target.received(5)).map((request) => pushedBody(request).deliveryAttempt);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    await idle();
    const pulled = await rest("POST", "subscriptions/dead-letters:pull", { maxMessages: 2 });
    expect(pulled.body).toMatchObject({
      receivedMessages: [
        {
          message: {
            data: Buffer.from("poison").toString("base64"),
            attributes: {
              CloudPubSubDeadLetterSourceDeliveryCount: "5",
              CloudPubSubDeadLetterSourceTopicPublishTime: new Date(clock.now()).toISOString(),
            },
          },
        },
      ],
    });
  });

  it("continues to redeliver while the dead-letter topic does not exist", async () => {
    await rest("PUT", "topics/dead", {});
    await subscribe({
      deadLetterPolicy: { deadLetterTopic: "projects/demo-local/topics/dead", maxDeliveryAttempts: 5 },
      retryPolicy: { minimumBackoff: "0s" },
    });
    await rest("DELETE", "topics/dead");
    target.respond((_, index) => ({ status: index < 7 ? 500 : 204 }));
    await publish("x");
    await target.received(8);
    await idle();
  });

  it("sends the messages of an ordering key one after another, also when one is retried", async () => {
    await subscribe({ enableMessageOrdering: true, retryPolicy: { minimumBackoff: "0s" } });
    target.respond((_, index) => ({ status: index === 0 ? 500 : 204 }));
    await rest("POST", "topics/jobs:publish", {
      messages: ["a", "b", "c"].map((text) => ({ data: Buffer.from(text).toString("base64"), orderingKey: "k" })),
    });
    expect((await target.received(4)).map(textOf)).toEqual(["a", "a", "b", "c"]);
    expect(pushedBody(target.requests[0]).message).toMatchObject({ orderingKey: "k" });
  });

  it("carries a bearer token of its account, and fails without a request while the account is disabled", async () => {
    await subscribe({ pushConfig: { pushEndpoint: target.url, oidcToken: { serviceAccountEmail: ACCOUNT } } });
    await publish("x");
    const [request] = await target.received(1);
    const token = request?.headers.authorization?.replace("Bearer ", "") ?? "";
    expect(identity.verify(token)).toEqual({ email: ACCOUNT, scopes: [] });
    identity.setDisabled(ACCOUNT, true);
    await publish("y");
    await waiting(100);
    expect(target.requests).toHaveLength(1);
    identity.setDisabled(ACCOUNT, false);
    clock.advance(100);
    await target.received(2);
  });

  it("follows a change of its endpoint, and stops when it is deleted", async () => {
    await subscribe({ retryPolicy: { minimumBackoff: "1s" } });
    target.respond(() => ({ status: 500 }));
    await publish("x");
    await waiting(1000);
    await rest("PATCH", "subscriptions/push", {
      subscription: { pushConfig: { pushEndpoint: `${target.url}/other` } },
      updateMask: "pushConfig",
    });
    clock.advance(1000);
    expect((await target.received(2))[1]?.path).toBe("/other");
    await waiting(2000);
    await rest("DELETE", "subscriptions/push");
    expect(clock.waits()).toEqual([]);
  });
});

import { type CreateSubscriptionOptions, type Message, PubSub, type Subscription, type Topic } from "@google-cloud/pubsub";
import { status } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LocalServer } from "../server.ts";
import { type RecordingTarget, startRecordingTarget } from "../tasks/wire/recording-target.ts";
import { pushedBody } from "./pushed-body.ts";

const PROJECT = "demo-local";

vi.stubEnv("METADATA_SERVER_DETECTION", "none");

/** What any Pub/Sub that the service runs on must do, as the real client sees it. `start` gives an empty one. */
export function pubSubContract(start: (options: { readonly project: string }) => Promise<LocalServer>): void {
  let server: LocalServer;
  let pubsub: PubSub;
  let target: RecordingTarget;
  let topic: Topic;
  let subscriptions: Subscription[];
  let names = 0;

  const newName = (kind: string) => `${kind}-${++names}`;

  async function subscribe(options: CreateSubscriptionOptions = {}, to = topic): Promise<Subscription> {
    const [subscription] = await to.createSubscription(newName("subscription"), options);
    subscriptions.push(subscription);
    return subscription;
  }

  function subscribePush(options: CreateSubscriptionOptions = {}): Promise<Subscription> {
    return subscribe({ pushConfig: { pushEndpoint: `${target.url}/push` }, ...options });
  }

  /** The next messages of a subscription, acknowledged or given back by `answer`. */
  function messages(subscription: Subscription, count: number, answer = (message: Message) => message.ack()): Promise<Message[]> {
    return new Promise((resolve, reject) => {
      const received: Message[] = [];
      subscription.on("error", reject);
      subscription.on("message", (message) => {
        received.push(message);
        answer(message);
        if (received.length === count) resolve(received);
      });
    });
  }

  const rest = (method: string, path: string, body?: object) =>
    fetch(`http://${server.address}/v1/projects/${PROJECT}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });

  beforeAll(async () => {
    server = await start({ project: PROJECT });
    vi.stubEnv("PUBSUB_EMULATOR_HOST", server.address);
    pubsub = new PubSub({ projectId: PROJECT });
  });

  afterAll(async () => {
    await pubsub.close();
    await server.close();
  });

  beforeEach(async () => {
    subscriptions = [];
    target = await startRecordingTarget();
    [topic] = await pubsub.createTopic(newName("topic"));
  });

  afterEach(async () => {
    for (const subscription of subscriptions) {
      await subscription.close();
      await subscription.delete();
    }
    await target.close();
  });

  describe("topics and subscriptions", () => {
    it("are created once, listed and deleted", async () => {
      await expect(pubsub.createTopic(topic.name)).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
      const [listed] = await pubsub.getTopics();
      expect(listed.map(({ name }) => name)).toContain(topic.name);
      const subscription = await subscribe();
      await expect(topic.createSubscription(subscription.name)).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
      const [attached] = await topic.getSubscriptions();
      expect(attached.map(({ name }) => name)).toEqual([subscription.name]);
      await topic.delete();
      expect(await topic.exists()).toEqual([false]);
      const [metadata] = await subscription.getMetadata();
      expect(metadata.topic).toBe("_deleted-topic_");
    });

    it("that are not there are NOT_FOUND", async () => {
      const missing = { code: status.NOT_FOUND };
      await expect(pubsub.topic("missing").getMetadata()).rejects.toMatchObject(missing);
      await expect(pubsub.topic("missing").delete()).rejects.toMatchObject(missing);
      await expect(pubsub.topic("missing").publishMessage({ data: Buffer.from("x") })).rejects.toMatchObject(missing);
      await expect(pubsub.topic("missing").createSubscription("nobody")).rejects.toMatchObject(missing);
      await expect(pubsub.subscription("missing").getMetadata()).rejects.toMatchObject(missing);
      await expect(pubsub.subscription("missing").delete()).rejects.toMatchObject(missing);
      const deadLetterTopic = pubsub.topic("missing").name;
      await expect(subscribe({ deadLetterPolicy: { deadLetterTopic, maxDeliveryAttempts: 5 } })).rejects.toMatchObject(missing);
    });

    it.each(["ab", "1abc", "goog-abc", "with space", "a".repeat(256)])("named %j are refused as INVALID_ARGUMENT", async (name) => {
      await expect(pubsub.createTopic(name)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
      await expect(topic.createSubscription(name)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it("keep their settings, and change those that may change", async () => {
      const dead = (await pubsub.createTopic(newName("topic")))[0].name;
      const subscription = await subscribe({
        ackDeadlineSeconds: 33,
        enableMessageOrdering: true,
        deadLetterPolicy: { deadLetterTopic: dead, maxDeliveryAttempts: 7 },
        retryPolicy: { minimumBackoff: { seconds: 1 }, maximumBackoff: { seconds: 20 } },
        labels: { kind: "test" },
      });
      expect((await subscription.getMetadata())[0]).toMatchObject({
        name: subscription.name,
        topic: topic.name,
        ackDeadlineSeconds: 33,
        enableMessageOrdering: true,
        deadLetterPolicy: { deadLetterTopic: dead, maxDeliveryAttempts: 7 },
        retryPolicy: { minimumBackoff: { seconds: "1" }, maximumBackoff: { seconds: "20" } },
        labels: { kind: "test" },
        messageRetentionDuration: { seconds: "604800" },
      });
      await subscription.setMetadata({ ackDeadlineSeconds: 44 });
      await subscription.modifyPushConfig({ pushEndpoint: `${target.url}/push` });
      expect((await subscription.getMetadata())[0]).toMatchObject({
        ackDeadlineSeconds: 44,
        pushConfig: { pushEndpoint: `${target.url}/push` },
        deadLetterPolicy: { maxDeliveryAttempts: 7 },
      });
      await expect(subscription.setMetadata({ topic: dead })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it.each([4, 101])("with %i attempts before the dead letter are refused as OUT_OF_RANGE", async (maxDeliveryAttempts) => {
      const deadLetterPolicy = { deadLetterTopic: topic.name, maxDeliveryAttempts };
      await expect(subscribe({ deadLetterPolicy })).rejects.toMatchObject({ code: status.OUT_OF_RANGE });
    });

    it("that push to what is no URL are refused as INVALID_ARGUMENT", async () => {
      await expect(subscribe({ pushConfig: { pushEndpoint: "nowhere" } })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });
  });

  describe("a published message", () => {
    it("reaches every subscription of its topic, with its data and attributes, and only those", async () => {
      const all = [await subscribe(), await subscribe()];
      const [other] = await pubsub.createTopic(newName("topic"));
      const elsewhere = await subscribe({}, other);
      const messageId = await topic.publishMessage({ data: Buffer.from([0, 255, 10]), attributes: { jobId: "j1", note: "ü" } });
      await other.publishMessage({ data: Buffer.from("other") });
      for (const subscription of all) {
        const [message] = await messages(subscription, 1);
        expect(message).toMatchObject({ id: messageId, attributes: { jobId: "j1", note: "ü" } });
        expect([...(message?.data ?? [])]).toEqual([0, 255, 10]);
        expect(Math.abs((message?.publishTime.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      }
      expect(String((await messages(elsewhere, 1))[0]?.data)).toBe("other");
    });

    it("must not be empty", async () => {
      await expect(topic.publishMessage({ data: Buffer.alloc(0) })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it("may have attributes alone", async () => {
      const subscription = await subscribe();
      await topic.publishMessage({ attributes: { only: "this" } });
      expect((await messages(subscription, 1))[0]).toMatchObject({ attributes: { only: "this" }, length: 0 });
    });

    it("that is given back comes again", async () => {
      const subscription = await subscribe();
      const messageId = await topic.publishMessage({ data: Buffer.from("x") });
      let deliveries = 0;
      const received = await messages(subscription, 2, (message) => (++deliveries === 1 ? message.nack() : message.ack()));
      expect(received.map(({ id }) => id)).toEqual([messageId, messageId]);
    });

    it("comes in order within its ordering key", async () => {
      const subscription = await subscribe({ enableMessageOrdering: true });
      const ordered = pubsub.topic(topic.name, { messageOrdering: true });
      const sent = Array.from({ length: 30 }, (_, index) => ({ orderingKey: index % 2 ? "odd" : "even", data: Buffer.from(`${index}`) }));
      await Promise.all(sent.map((message) => ordered.publishMessage(message)));
      const received = await messages(subscription, sent.length);
      for (const key of ["odd", "even"]) {
        const order = received.filter(({ orderingKey }) => orderingKey === key).map(({ data }) => Number(data));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(order).toHaveLength(15);
      }
    });
  });

  describe("a push", () => {
    it("posts the message as Google does, and 2xx ends it", async () => {
      await subscribePush();
      const messageId = await topic.publishMessage({ data: Buffer.from("hello"), attributes: { jobId: "j1" } });
      const [request] = await target.received(1);
      expect(request).toMatchObject({ method: "POST", path: "/push" });
      expect(request?.headers["content-type"]).toMatch(/^application\/json/);
      const body = pushedBody(request);
      expect(body).toMatchObject({
        subscription: expect.stringMatching(new RegExp(`^projects/${PROJECT}/subscriptions/subscription-\\d+$`)),
        message: { data: Buffer.from("hello").toString("base64"), attributes: { jobId: "j1" }, messageId, message_id: messageId },
      });
      expect(body.message.publishTime).toBe(body.message.publish_time);
      expect(new Date(body.message.publishTime).toISOString()).toBe(body.message.publishTime);
      await topic.publishMessage({ data: Buffer.from("marker") });
      const both = (await target.received(2)).map((each) => String(Buffer.from(pushedBody(each).message.data, "base64")));
      expect(both).toEqual(["hello", "marker"]);
    });

    it("that is not answered with 2xx comes again", async () => {
      await subscribePush({ retryPolicy: { minimumBackoff: { nanos: 1e8 }, maximumBackoff: { nanos: 1e8 } } });
      target.respond((_, index) => ({ status: [500, 404, 204][index] ?? 204 }));
      const messageId = await topic.publishMessage({ data: Buffer.from("x") });
      const ids = (await target.received(3)).map((request) => pushedBody(request).message.messageId);
      expect(ids).toEqual([messageId, messageId, messageId]);
    });

    it("goes to the dead-letter topic when its attempts are used up, saying where it came from", async () => {
      const [dead] = await pubsub.createTopic(newName("topic"));
      const deadLetters = await subscribe({}, dead);
      const source = await subscribePush({
        retryPolicy: { minimumBackoff: { nanos: 1e7 }, maximumBackoff: { nanos: 1e7 } },
        deadLetterPolicy: { deadLetterTopic: dead.name, maxDeliveryAttempts: 5 },
      });
      target.respond(() => ({ status: 503 }));
      await topic.publishMessage({ data: Buffer.from("poison"), attributes: { jobId: "j1" } });
      const [message] = await messages(deadLetters, 1);
      expect(String(message?.data)).toBe("poison");
      expect(message?.attributes).toMatchObject({
        jobId: "j1",
        CloudPubSubDeadLetterSourceDeliveryCount: "5",
        CloudPubSubDeadLetterSourceSubscription: source.name.slice(source.name.lastIndexOf("/") + 1),
        CloudPubSubDeadLetterSourceSubscriptionProject: PROJECT,
        CloudPubSubDeadLetterSourceTopicPublishTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(target.requests).toHaveLength(5);
    });
  });

  describe("the REST form on the same port", () => {
    it("publishes, as a Cloud Task does", async () => {
      const subscription = await subscribe();
      const id = topic.name.slice(topic.name.lastIndexOf("/") + 1);
      const response = await rest("POST", `topics/${id}:publish`, {
        messages: [{ data: Buffer.from("by REST").toString("base64"), attributes: { jobId: "j1" } }],
      });
      expect(response.status).toBe(200);
      const [message] = await messages(subscription, 1);
      expect(await response.json()).toEqual({ messageIds: [message?.id] });
      expect(message).toMatchObject({ attributes: { jobId: "j1" } });
      expect(String(message?.data)).toBe("by REST");
    });

    it("creates, tells and deletes topics and subscriptions, which gRPC sees", async () => {
      const [topicId, subscriptionId] = [newName("topic"), newName("subscription")];
      const name = `projects/${PROJECT}/topics/${topicId}`;
      expect(await (await rest("PUT", `topics/${topicId}`, {})).json()).toEqual({ name });
      const wanted = { topic: name, ackDeadlineSeconds: 20, retryPolicy: { minimumBackoff: "1.500s", maximumBackoff: "3s" } };
      const created = await rest("PUT", `subscriptions/${subscriptionId}`, wanted);
      expect(await created.json()).toMatchObject({ topic: name, ackDeadlineSeconds: 20, messageRetentionDuration: "604800s" });
      expect((await pubsub.subscription(subscriptionId).getMetadata())[0]).toMatchObject({
        ackDeadlineSeconds: 20,
        retryPolicy: { minimumBackoff: { seconds: "1", nanos: 500_000_000 } },
      });
      expect(await (await rest("GET", `topics/${topicId}/subscriptions`)).json()).toEqual({
        subscriptions: [`projects/${PROJECT}/subscriptions/${subscriptionId}`],
      });
      await rest("POST", `topics/${topicId}:publish`, { messages: [{ data: "eA==" }] });
      const pulled = await rest("POST", `subscriptions/${subscriptionId}:pull`, { maxMessages: 5 });
      expect(await pulled.json()).toMatchObject({ receivedMessages: [{ message: { data: "eA==" }, ackId: expect.any(String) }] });
      expect((await rest("DELETE", `subscriptions/${subscriptionId}`)).status).toBe(200);
      expect((await rest("DELETE", `topics/${topicId}`)).status).toBe(200);
      expect((await rest("GET", `topics/${topicId}`)).status).toBe(404);
    });

    it("refuses in Google's shape", async () => {
      const id = topic.name.slice(topic.name.lastIndexOf("/") + 1);
      const publish = (body: object) => rest("POST", `topics/${id}:publish`, body);
      const refusals: [Promise<Response>, number, string][] = [
        [rest("PUT", `topics/${id}`, {}), 409, "ALREADY_EXISTS"],
        [rest("POST", "topics/missing:publish", { messages: [{ data: "eA==" }] }), 404, "NOT_FOUND"],
        [publish({ messages: [] }), 400, "INVALID_ARGUMENT"],
        [publish({ messages: [{}] }), 400, "INVALID_ARGUMENT"],
        [publish({ messages: [{ dataa: "eA==" }] }), 400, "INVALID_ARGUMENT"],
      ];
      for (const [response, code, name] of refusals) {
        expect((await response).status).toBe(code);
        expect(await (await response).json()).toEqual({ error: { code, status: name, message: expect.any(String) } });
      }
    });
  });
}

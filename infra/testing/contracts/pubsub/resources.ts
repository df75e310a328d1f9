import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import type { Engine } from "./engine.ts";

/** Creation, listing, changes, deletion and refusals of topics and subscriptions. */
export function resourceContract(engine: Engine): void {
  describe("topics and subscriptions", () => {
    it("are created once, listed and deleted", async () => {
      await expect(engine.pubsub.createTopic(engine.topic.name)).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
      const [listed] = await engine.pubsub.getTopics();
      expect(listed.map(({ name }) => name)).toContain(engine.topic.name);
      const subscription = await engine.subscribe();
      await expect(engine.topic.createSubscription(subscription.name)).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
      const [attached] = await engine.topic.getSubscriptions();
      expect(attached.map(({ name }) => name)).toEqual([subscription.name]);
      await engine.topic.delete();
      expect(await engine.topic.exists()).toEqual([false]);
      const [metadata] = await subscription.getMetadata();
      expect(metadata.topic).toBe("_deleted-topic_");
    });

    it("that do not exist are NOT_FOUND", async () => {
      const missing = { code: status.NOT_FOUND };
      await expect(engine.pubsub.topic("missing").getMetadata()).rejects.toMatchObject(missing);
      await expect(engine.pubsub.topic("missing").delete()).rejects.toMatchObject(missing);
      await expect(engine.pubsub.topic("missing").publishMessage({ data: Buffer.from("x") })).rejects.toMatchObject(missing);
      await expect(engine.pubsub.topic("missing").createSubscription("nobody")).rejects.toMatchObject(missing);
      await expect(engine.pubsub.subscription("missing").getMetadata()).rejects.toMatchObject(missing);
      await expect(engine.pubsub.subscription("missing").delete()).rejects.toMatchObject(missing);
      const deadLetterTopic = engine.pubsub.topic("missing").name;
      await expect(engine.subscribe({ deadLetterPolicy: { deadLetterTopic, maxDeliveryAttempts: 5 } })).rejects.toMatchObject(missing);
    });

    it.each(["ab", "1abc", "goog-abc", "with space", "a".repeat(256)])("named %j are refused as INVALID_ARGUMENT", async (name) => {
      await expect(engine.pubsub.createTopic(name)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
      await expect(engine.topic.createSubscription(name)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it("keep their settings, and change the mutable ones", async () => {
      const dead = (await engine.pubsub.createTopic(engine.newName("topic")))[0].name;
      const subscription = await engine.subscribe({
        ackDeadlineSeconds: 33,
        enableMessageOrdering: true,
        deadLetterPolicy: { deadLetterTopic: dead, maxDeliveryAttempts: 7 },
        retryPolicy: { minimumBackoff: { seconds: 1 }, maximumBackoff: { seconds: 20 } },
        labels: { kind: "test" },
      });
      expect((await subscription.getMetadata())[0]).toMatchObject({
        name: subscription.name,
        topic: engine.topic.name,
        ackDeadlineSeconds: 33,
        enableMessageOrdering: true,
        deadLetterPolicy: { deadLetterTopic: dead, maxDeliveryAttempts: 7 },
        retryPolicy: { minimumBackoff: { seconds: "1" }, maximumBackoff: { seconds: "20" } },
        labels: { kind: "test" },
        messageRetentionDuration: { seconds: "604800" },
      });
      await subscription.setMetadata({ ackDeadlineSeconds: 44 });
      await subscription.modifyPushConfig({ pushEndpoint: `${engine.target.url}/push` });
      expect((await subscription.getMetadata())[0]).toMatchObject({
        ackDeadlineSeconds: 44,
        pushConfig: { pushEndpoint: `${engine.target.url}/push` },
        deadLetterPolicy: { maxDeliveryAttempts: 7 },
      });
      await expect(subscription.setMetadata({ topic: dead })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it.each([4, 101])("with %i delivery attempts are refused as OUT_OF_RANGE", async (maxDeliveryAttempts) => {
      const deadLetterPolicy = { deadLetterTopic: engine.topic.name, maxDeliveryAttempts };
      await expect(engine.subscribe({ deadLetterPolicy })).rejects.toMatchObject({ code: status.OUT_OF_RANGE });
    });

    it("with an invalid push endpoint are refused as INVALID_ARGUMENT", async () => {
      await expect(engine.subscribe({ pushConfig: { pushEndpoint: "nowhere" } })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });
  });
}

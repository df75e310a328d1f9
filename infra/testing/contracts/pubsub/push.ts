import { describe, expect, it } from "vitest";
import { pushedBody } from "../../engines/pushed-body.ts";
import { type Engine, PROJECT } from "./engine.ts";

/** The delivery, redelivery and dead-lettering of push subscriptions. */
export function pushContract(engine: Engine): void {
  describe("a push", () => {
    it("posts the message as Google does; a 2xx acknowledges it", async () => {
      await engine.subscribePush();
      const messageId = await engine.topic.publishMessage({ data: Buffer.from("hello"), attributes: { jobId: "j1" } });
      const [request] = await engine.target.received(1);
      expect(request).toMatchObject({ method: "POST", path: "/push" });
      expect(request?.headers["content-type"]).toMatch(/^application\/json/);
      const body = pushedBody(request);
      expect(body).toMatchObject({
        subscription: expect.stringMatching(new RegExp(`^projects/${PROJECT}/subscriptions/subscription-\\d+$`)),
        message: { data: Buffer.from("hello").toString("base64"), attributes: { jobId: "j1" }, messageId, message_id: messageId },
      });
      expect(body.message.publishTime).toBe(body.message.publish_time);
      expect(new Date(body.message.publishTime).toISOString()).toBe(body.message.publishTime);
      await engine.topic.publishMessage({ data: Buffer.from("marker") });
      const both = (await engine.target.received(2)).map((each) => String(Buffer.from(pushedBody(each).message.data, "base64")));
      expect(both).toEqual(["hello", "marker"]);
    });

    it("without a 2xx is redelivered", async () => {
      await engine.subscribePush({ retryPolicy: { minimumBackoff: { nanos: 1e8 }, maximumBackoff: { nanos: 1e8 } } });
      engine.target.respond((_, index) => ({ status: [500, 404, 204][index] ?? 204 }));
      const messageId = await engine.topic.publishMessage({ data: Buffer.from("x") });
      const ids = (await engine.target.received(3)).map((request) => pushedBody(request).message.messageId);
      expect(ids).toEqual([messageId, messageId, messageId]);
    });

    it("goes to the dead-letter topic after its last attempt, with its source in the attributes", async () => {
      const [dead] = await engine.pubsub.createTopic(engine.newName("topic"));
      const deadLetters = await engine.subscribe({}, dead);
      const source = await engine.subscribePush({
        retryPolicy: { minimumBackoff: { nanos: 1e7 }, maximumBackoff: { nanos: 1e7 } },
        deadLetterPolicy: { deadLetterTopic: dead.name, maxDeliveryAttempts: 5 },
      });
      engine.target.respond(() => ({ status: 503 }));
      await engine.topic.publishMessage({ data: Buffer.from("poison"), attributes: { jobId: "j1" } });
      const [message] = await engine.messages(deadLetters, 1);
      expect(String(message?.data)).toBe("poison");
      expect(message?.attributes).toMatchObject({
        jobId: "j1",
        CloudPubSubDeadLetterSourceDeliveryCount: "5",
        CloudPubSubDeadLetterSourceSubscription: source.name.slice(source.name.lastIndexOf("/") + 1),
        CloudPubSubDeadLetterSourceSubscriptionProject: PROJECT,
        CloudPubSubDeadLetterSourceTopicPublishTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(engine.target.requests).toHaveLength(5);
    });
  });
}

import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import type { Engine } from "./engine.ts";

/** The delivery of published messages to pull subscribers. */
export function messageContract(engine: Engine): void {
  describe("a published message", () => {
    it("reaches every subscription of its topic, and no other, with its data and attributes", async () => {
      const all = [await engine.subscribe(), await engine.subscribe()];
      const [other] = await engine.pubsub.createTopic(engine.newName("topic"));
      const elsewhere = await engine.subscribe({}, other);
      const messageId = await engine.topic.publishMessage({ data: Buffer.from([0, 255, 10]), attributes: { jobId: "j1", note: "ü" } });
      await other.publishMessage({ data: Buffer.from("other") });
      for (const subscription of all) {
        const [message] = await engine.messages(subscription, 1);
        expect(message).toMatchObject({ id: messageId, attributes: { jobId: "j1", note: "ü" } });
        expect([...(message?.data ?? [])]).toEqual([0, 255, 10]);
        expect(Math.abs((message?.publishTime.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      }
      expect(String((await engine.messages(elsewhere, 1))[0]?.data)).toBe("other");
    });

    it("must not be empty", async () => {
      await expect(engine.topic.publishMessage({ data: Buffer.alloc(0) })).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    });

    it("may consist of attributes only", async () => {
      const subscription = await engine.subscribe();
      await engine.topic.publishMessage({ attributes: { only: "this" } });
      expect((await engine.messages(subscription, 1))[0]).toMatchObject({ attributes: { only: "this" }, length: 0 });
    });

    it("that is nacked is redelivered", async () => {
      const subscription = await engine.subscribe();
      const messageId = await engine.topic.publishMessage({ data: Buffer.from("x") });
      let deliveries = 0;
      const received = await engine.messages(subscription, 2, (message) => (++deliveries === 1 ? message.nack() : message.ack()));
      expect(received.map(({ id }) => id)).toEqual([messageId, messageId]);
    });

    it("is delivered in order within its ordering key", async () => {
      const subscription = await engine.subscribe({ enableMessageOrdering: true });
      const ordered = engine.pubsub.topic(engine.topic.name, { messageOrdering: true });
      const sent = Array.from({ length: 30 }, (_, index) => ({ orderingKey: index % 2 ? "odd" : "even", data: Buffer.from(`${index}`) }));
      await Promise.all(sent.map((message) => ordered.publishMessage(message)));
      const received = await engine.messages(subscription, sent.length);
      for (const key of ["odd", "even"]) {
        const order = received.filter(({ orderingKey }) => orderingKey === key).map(({ data }) => Number(data));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(order).toHaveLength(15);
      }
    });
  });
}

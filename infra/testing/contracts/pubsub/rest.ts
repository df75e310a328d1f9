import { describe, expect, it } from "vitest";
import { type Engine, PROJECT } from "./engine.ts";

/** The REST API. It serves the same topics and subscriptions as gRPC. */
export function restContract(engine: Engine): void {
  describe("the REST API on the same port", () => {
    it("publishes, as a Cloud Task does", async () => {
      const subscription = await engine.subscribe();
      const id = engine.topic.name.slice(engine.topic.name.lastIndexOf("/") + 1);
      const response = await engine.rest("POST", `topics/${id}:publish`, {
        messages: [{ data: Buffer.from("by REST").toString("base64"), attributes: { jobId: "j1" } }],
      });
      expect(response.status).toBe(200);
      const [message] = await engine.messages(subscription, 1);
      expect(await response.json()).toEqual({ messageIds: [message?.id] });
      expect(message).toMatchObject({ attributes: { jobId: "j1" } });
      expect(String(message?.data)).toBe("by REST");
    });

    it("creates, returns and deletes topics and subscriptions that gRPC sees", async () => {
      const [topicId, subscriptionId] = [engine.newName("topic"), engine.newName("subscription")];
      const name = `projects/${PROJECT}/topics/${topicId}`;
      expect(await (await engine.rest("PUT", `topics/${topicId}`, {})).json()).toEqual({ name });
      const wanted = { topic: name, ackDeadlineSeconds: 20, retryPolicy: { minimumBackoff: "1.500s", maximumBackoff: "3s" } };
      const created = await engine.rest("PUT", `subscriptions/${subscriptionId}`, wanted);
      expect(await created.json()).toMatchObject({ topic: name, ackDeadlineSeconds: 20, messageRetentionDuration: "604800s" });
      expect((await engine.pubsub.subscription(subscriptionId).getMetadata())[0]).toMatchObject({
        ackDeadlineSeconds: 20,
        retryPolicy: { minimumBackoff: { seconds: "1", nanos: 500_000_000 } },
      });
      expect(await (await engine.rest("GET", `topics/${topicId}/subscriptions`)).json()).toEqual({
        subscriptions: [`projects/${PROJECT}/subscriptions/${subscriptionId}`],
      });
      await engine.rest("POST", `topics/${topicId}:publish`, { messages: [{ data: "eA==" }] });
      const pulled = await engine.rest("POST", `subscriptions/${subscriptionId}:pull`, { maxMessages: 5 });
      expect(await pulled.json()).toMatchObject({ receivedMessages: [{ message: { data: "eA==" }, ackId: expect.any(String) }] });
      expect((await engine.rest("DELETE", `subscriptions/${subscriptionId}`)).status).toBe(200);
      expect((await engine.rest("DELETE", `topics/${topicId}`)).status).toBe(200);
      expect((await engine.rest("GET", `topics/${topicId}`)).status).toBe(404);
    });

    it("returns errors in Google's format", async () => {
      const id = engine.topic.name.slice(engine.topic.name.lastIndexOf("/") + 1);
      const publish = (body: object) => engine.rest("POST", `topics/${id}:publish`, body);
      const refusals: [Promise<Response>, number, string][] = [
        [engine.rest("PUT", `topics/${id}`, {}), 409, "ALREADY_EXISTS"],
        [engine.rest("POST", "topics/missing:publish", { messages: [{ data: "eA==" }] }), 404, "NOT_FOUND"],
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

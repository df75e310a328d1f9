import { once } from "node:events";
import { cloudEvent } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import { expect, it } from "vitest";
import { restClient } from "../../testing/engines/pubsub-rest-client.ts";
import { startPubSub } from "./server.ts";

it("a push works unchanged with a cloudEvent function of the functions framework", async () => {
  const events: unknown[] = [];
  const arrived = new Promise<void>((resolve) => {
    cloudEvent("worker", (event: unknown) => {
      events.push(event);
      resolve();
    });
  });
  const functionServer = getTestServer("worker").listen(0, "127.0.0.1");
  await once(functionServer, "listening");
  const bound = functionServer.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  const pubsub = await startPubSub();
  try {
    const rest = restClient(pubsub.address, "demo-local");
    const topic = "projects/demo-local/topics/jobs";
    await rest("PUT", "topics/jobs", {});
    await rest("PUT", "subscriptions/jobs", { topic, pushConfig: { pushEndpoint: `http://127.0.0.1:${port}/${topic}` } });
    const data = Buffer.from(JSON.stringify({ jobId: "j1" })).toString("base64");
    const published = await rest("POST", "topics/jobs:publish", { messages: [{ data, attributes: { step: "2" } }] });
    await arrived;
    expect(published.body).toEqual({ messageIds: [expect.any(String)] });
    expect(events).toEqual([
      expect.objectContaining({
        type: "google.cloud.pubsub.topic.v1.messagePublished",
        source: `//pubsub.googleapis.com/${topic}`,
        data: expect.objectContaining({ message: expect.objectContaining({ data, attributes: { step: "2" } }) }),
      }),
    ]);
  } finally {
    await pubsub.close();
    functionServer.closeAllConnections();
    functionServer.close();
  }
});

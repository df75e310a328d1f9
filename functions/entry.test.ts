import { createServer } from "node:http";
import * as v from "valibot";
import { expect, it, vi } from "vitest";
import { defineTopicFunction } from "../shared/runtime/define-event.ts";
import { defineScheduleFunction } from "../shared/runtime/define-schedule.ts";
import type { HttpHandler } from "../shared/runtime/http-handler.ts";
import openapi from "./docs/openapi-users.ts";
import { type Framework, registerPublicEndpoint, registerSchedule, registerTopic } from "./entry.ts";

vi.stubEnv("GOOGLE_CLOUD_PROJECT", "demo-entry");
vi.stubEnv("ENVIRONMENT", "local");
vi.stubEnv("EXPORT_BUCKET", "exports");

/** A framework that records the registered handlers. */
function keeping() {
  const handlers = new Map<string, HttpHandler>();
  const events = new Map<string, (event: unknown) => Promise<void>>();
  const framework: Framework = { http: (name, handler) => handlers.set(name, handler), cloudEvent: (name, run) => events.set(name, run) };
  return { framework, handlers, events };
}

/** The status of a handler's response. */
async function statusOf(handler: HttpHandler, path: string, method: string): Promise<number> {
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
  } finally {
    server.close();
  }
}

it("a public endpoint is registered under its name and responds without any store", async () => {
  const { framework, handlers } = keeping();
  const handler = registerPublicEndpoint(framework, openapi);
  expect([...handlers]).toEqual([["docs-openapi-users", handler]]);
  expect(await statusOf(handler, "/openapi.json", "GET")).toBe(200);
});

it("topic functions and scheduled functions are registered under their names, and the handlers run them", async () => {
  const { framework, handlers, events } = keeping();
  const ran: unknown[] = [];
  const handler = async (): Promise<void> => void ran.push("schedule");
  const schedule = defineScheduleFunction({ file: "some/work", everySeconds: 60, dependencies: () => undefined, handler });
  const topic = defineTopicFunction({
    file: "some/message",
    topic: "some",
    message: v.number(),
    dependencies: () => undefined,
    handler: async (message) => void ran.push(message),
  });
  registerTopic(framework, topic);
  registerSchedule(framework, schedule);
  expect([[...events.keys()], [...handlers.keys()]]).toEqual([["some-message"], ["some-work"]]);
  await events.get("some-message")?.({ data: { message: { data: Buffer.from("7").toString("base64") } } });
  const scheduled = handlers.get("some-work");
  expect(scheduled && (await statusOf(scheduled, "/", "POST"))).toBe(200);
  expect(ran).toEqual([7, "schedule"]);
});

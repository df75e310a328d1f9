import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { serveSchedule } from "./serve-schedule.ts";
import { ShuttingDown } from "./shutdown-signal.ts";

let server: Server;

afterEach(() => new Promise((closed) => server.close(closed)));

it.each([
  ["succeeded", () => Promise.resolve(), 200],
  ["failed", () => Promise.reject(new Error("no space")), 500],
  ["stopped, since its process is to end: to be called again", () => Promise.reject(new ShuttingDown()), 503],
])("a run that %s", async (_what, run, status) => {
  const handler = serveSchedule({ run });
  server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: "POST" })).status).toBe(status);
});
